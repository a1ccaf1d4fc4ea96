// Finds objects as a program for OpenCV 4 does, with OpenCV 4 or 5.
//
//   c++ -std=c++17 opencv.cpp $(pkg-config --cflags --libs haarlem opencv4) -o opencv
//   ./opencv cascade.xml photo.jpg
#include <haarlem/opencv.hpp>
#include <opencv2/imgcodecs.hpp>

#include <iostream>

int main(int argc, char **argv)
try {
	haarlem::CascadeClassifier classifier;
	if (argc != 3 || !classifier.load(argv[1])) {
		std::cerr << "usage: opencv CASCADE PICTURE\n";
		return 2;
	}
	const cv::Mat picture = cv::imread(argv[2]);
	std::vector<cv::Rect> found;
	classifier.detectMultiScale(picture, found, 1.1, 3, 0, cv::Size(30, 30));
	for (const cv::Rect &r : found)
		std::cout << r.x << ' ' << r.y << ' ' << r.width << ' ' << r.height << '\n';
	return 0;
} catch (const cv::Exception &e) {
	std::cerr << "opencv: " << e.what() << '\n';
	return 1;
}

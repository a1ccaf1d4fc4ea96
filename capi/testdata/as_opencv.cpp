// A program that knows only OpenCV, but for one line.
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#ifndef WITHOUT_OBJDETECT
#include <opencv2/objdetect.hpp>
#endif

#include <haarlem/opencv.hpp>

#include <iostream>

class Faces {
public:
	explicit Faces(const std::string &file) : cascade(file) {}
	std::vector<cv::Rect> in(const cv::Mat &picture)
	{
		std::vector<cv::Rect> found;
		cascade.detectMultiScale(picture, found, 1.1, 3, cv::CASCADE_SCALE_IMAGE, cv::Size(30, 30));
		return found;
	}

private:
	cv::CascadeClassifier cascade;
};

using namespace cv;

int main(int, char **argv)
{
	for (const Rect &r : Faces(argv[1]).in(imread(argv[2])))
		std::cout << r.x << ' ' << r.y << ' ' << r.width << ' ' << r.height << '\n';
	CascadeClassifier other;
	return other.load(argv[1]) && !other.empty() ? 0 : 1;
}

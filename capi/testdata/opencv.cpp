// Compares haarlem::CascadeClassifier with cv::CascadeClassifier.
//
//   opencv CALLS PICTURE... -- CASCADE...
#include <haarlem/opencv.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

template <class A, class B> constexpr bool equal(A a, B b) { return static_cast<int>(a) == static_cast<int>(b); }
static_assert(equal(haarlem::CASCADE_SCALE_IMAGE, cv::CASCADE_SCALE_IMAGE) && equal(haarlem::CASCADE_DO_CANNY_PRUNING, cv::CASCADE_DO_CANNY_PRUNING) &&
                  equal(haarlem::CASCADE_FIND_BIGGEST_OBJECT, cv::CASCADE_FIND_BIGGEST_OBJECT) &&
                  equal(haarlem::CASCADE_DO_ROUGH_SEARCH, cv::CASCADE_DO_ROUGH_SEARCH),
              "flags differ");

namespace {

int calls, differences;
std::size_t rectangles;
double seconds[2]; // of OpenCV, and of haarlem

// What a call gives.
struct Outcome {
	std::vector<cv::Rect> boxes;
	std::vector<int> levels;
	std::vector<double> weights;
	int error = 0;

	bool operator==(const Outcome &o) const
	{
		// After an error nobody reads the rest.
		return error == o.error && (error != 0 || (boxes == o.boxes && levels == o.levels && weights == o.weights));
	}
};

Outcome outcome(double &time, const std::function<void(Outcome &)> &f)
{
	Outcome o;
	const auto began = std::chrono::steady_clock::now();
	try {
		f(o);
	} catch (const cv::Exception &e) {
		o.error = e.code;
	}
	time += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
	return o;
}

// same compares what both classifiers give. f is called with each.
template <class F> void same(const std::string &what, cv::CascadeClassifier &theirs, haarlem::CascadeClassifier &ours, F f)
{
	const Outcome want = outcome(seconds[0], [&](Outcome &o) { f(theirs, o); });
	const Outcome got = outcome(seconds[1], [&](Outcome &o) { f(ours, o); });
	calls++;
	rectangles += want.boxes.size();
	if (!(got == want)) {
		differences++;
		std::printf("%s: %zu boxes and error %d, want %zu and %d\n", what.c_str(), got.boxes.size(), got.error, want.boxes.size(), want.error);
	}
}

void check(bool ok, const char *what)
{
	calls++;
	if (!ok) {
		differences++;
		std::printf("%s\n", what);
	}
}

// search makes a random call with each form of detectMultiScale.
void search(cv::RNG &r, const std::string &where, const cv::Mat &whole, cv::CascadeClassifier &theirs, haarlem::CascadeClassifier &ours)
{
	const int width = r.uniform(20, std::min(whole.cols, 320)), height = r.uniform(20, std::min(whole.rows, 240));
	const cv::Mat part = whole(cv::Rect(r.uniform(0, whole.cols - width + 1), r.uniform(0, whole.rows - height + 1), width, height));
	cv::Mat picture = part; // with gaps between rows
	const int kind = r.uniform(0, 4);
	if (kind == 1)
		cv::cvtColor(part, picture, cv::COLOR_BGR2GRAY);
	else if (kind == 2)
		cv::cvtColor(part, picture, cv::COLOR_BGR2BGRA);
	const double scales[] = {1.03, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3.7, 1};
	const double scale = scales[r.uniform(0, 20) == 0 ? 8 : r.uniform(0, 8)];
	const int neighbors[] = {-1, 0, 0, 1, 1, 2, 3, 5};
	const int n = neighbors[r.uniform(0, 8)], flags = r.uniform(0, 16);
	const cv::Size least(r.uniform(-1, width / 4), r.uniform(-1, height / 4));
	const cv::Size largest = r.uniform(0, 3) ? cv::Size() : cv::Size(r.uniform(-1, width + 5), r.uniform(-1, height + 5));
	const bool levels = r.uniform(0, 8) != 0;
	const int form = r.uniform(0, 3);
	const auto call = [&](auto &c, cv::InputArray in, Outcome &o) {
		if (form == 0)
			c.detectMultiScale(in, o.boxes, scale, n, flags, least, largest);
		else if (form == 1)
			c.detectMultiScale(in, o.boxes, o.levels, scale, n, flags, least, largest);
		else
			c.detectMultiScale(in, o.boxes, o.levels, o.weights, scale, n, flags, least, largest, levels);
	};
	if (kind == 3) {
		cv::UMat shared;
		picture.copyTo(shared);
		same(where, theirs, ours, [&](auto &c, Outcome &o) { call(c, shared, o); });
	} else {
		same(where, theirs, ours, [&](auto &c, Outcome &o) { call(c, picture, o); });
	}
}

void group(cv::RNG &r)
{
	std::vector<cv::Rect> all;
	for (int i = r.uniform(0, 80); i > 0; i--)
		all.push_back(cv::Rect(r.uniform(-20, 60), r.uniform(-20, 60), r.uniform(1, 50), r.uniform(1, 50)));
	const int threshold = r.uniform(-1, 4), form = r.uniform(0, 4);
	const double eps = r.uniform(0, 3) ? 0.2 : r.uniform(0.0, 1.0);
	std::vector<int> levels;
	std::vector<double> weights;
	for (std::size_t i = 0; i < all.size(); i++) {
		levels.push_back(r.uniform(0, 3));
		weights.push_back(r.uniform(-1.0, 1.0));
	}
	Outcome want, got;
	want.boxes = got.boxes = all;
	want.levels = got.levels = levels;
	want.weights = got.weights = weights;
	if (form == 0) {
		cv::groupRectangles(want.boxes, threshold, eps);
		haarlem::groupRectangles(got.boxes, threshold, eps);
	} else if (form == 1) {
		cv::groupRectangles(want.boxes, want.levels, threshold, eps);
		haarlem::groupRectangles(got.boxes, got.levels, threshold, eps);
	} else if (form == 2) {
		cv::groupRectangles(want.boxes, want.levels, want.weights, threshold, eps);
		haarlem::groupRectangles(got.boxes, got.levels, got.weights, threshold, eps);
	} else {
		cv::groupRectangles(want.boxes, threshold, eps, nullptr, nullptr);
		haarlem::groupRectangles(got.boxes, threshold, eps, nullptr, nullptr);
	}
	check(got == want, "groupRectangles differs");
}

template <class C> void arguments(const std::string &cascade, const cv::Mat &picture, std::vector<Outcome> &all)
{
	double none = 0;
	const auto add = [&](const std::function<void(Outcome &)> &f) { all.push_back(outcome(none, f)); };
	C empty;
	add([&](Outcome &o) { o.levels.push_back(empty.empty()); });
	add([&](Outcome &o) { empty.detectMultiScale(picture, o.boxes); });
	add([&](Outcome &o) { o.boxes.push_back(cv::Rect(cv::Point(), empty.getOriginalWindowSize())); });
	add([&](Outcome &o) { o.levels.push_back(empty.getFeatureType()); });
	add([&](Outcome &o) { o.levels.push_back(empty.isOldFormatCascade()); });
	add([&](Outcome &o) { o.levels.push_back(empty.load("/nowhere.xml")); });
	add([&](Outcome &o) { o.levels.push_back(C("/nowhere.xml").empty()); });
	add([&](Outcome &) { empty.load(""); });
	C c(cascade);
	const C copy = c;
	add([&](Outcome &o) { o.levels.push_back(copy.empty()); });
	add([&](Outcome &o) { o.boxes.push_back(cv::Rect(cv::Point(), c.getOriginalWindowSize())); });
	add([&](Outcome &o) { o.levels.push_back(c.getFeatureType()); });
	add([&](Outcome &o) { o.levels.push_back(c.isOldFormatCascade()); });
	add([&](Outcome &o) { o.levels.push_back(c.getOldCascade() != nullptr); });
	for (const cv::Mat &m : {cv::Mat(), cv::Mat(0, 5, CV_8UC3), cv::Mat(50, 50, CV_8UC2, cv::Scalar(0)), cv::Mat(50, 50, CV_32F, cv::Scalar(0)),
	                         cv::Mat(50, 50, CV_16U, cv::Scalar(0)), cv::Mat(1, 1, CV_8U, cv::Scalar(0))})
		add([&](Outcome &o) { c.detectMultiScale(m, o.boxes); });
	C other;
	cv::FileStorage file(cascade, cv::FileStorage::READ);
	add([&](Outcome &o) { o.levels.push_back(other.read(file.getFirstTopLevelNode())); });
	add([&](Outcome &o) { other.detectMultiScale(picture, o.boxes, 1.1, 0); });
	add([&](Outcome &o) { o.levels.push_back(other.read(file["nothing"])); });
	add([&](Outcome &o) { o.levels.push_back(other.empty()); });
}

} // namespace

int main(int argc, char **argv)
{
	cv::setNumThreads(1); // with more, OpenCV's order is any
	cv::redirectError([](int, const char *, const char *, const char *, int, void *) { return 0; });
	std::vector<cv::Mat> pictures;
	int i = 2;
	for (; i < argc && std::string(argv[i]) != "--"; i++)
		pictures.push_back(cv::imread(argv[i]));
	const int random = std::atoi(argv[1]), first = i + 1;
	for (i = first; i < argc; i++) {
		const std::string name = argv[i];
		cv::CascadeClassifier theirs(name);
		haarlem::CascadeClassifier ours(name);
		check(!theirs.empty() && !ours.empty(), (name + " is not loaded").c_str());
		const std::string written = std::string(argv[0]) + ".xml";
		check(haarlem::CascadeClassifier::convert(name, written), (name + " is not converted").c_str());
		cv::CascadeClassifier again(written);
		same(written, again, ours, [&](auto &c, Outcome &o) { c.detectMultiScale(pictures[0], o.boxes, 1.2, 0); });
		for (const cv::Mat &whole : pictures)
			same(name, theirs, ours, [&](auto &c, Outcome &o) { c.detectMultiScale(whole, o.boxes); });
		cv::RNG r(static_cast<std::uint64_t>(i));
		for (int k = 0; k < random; k++) {
			search(r, name + ", call " + std::to_string(k), pictures[static_cast<std::size_t>(k) % pictures.size()], theirs, ours);
			group(r);
		}
	}
	check(!haarlem::CascadeClassifier::convert("/nowhere.xml", std::string(argv[0]) + ".none"), "a file that is none was converted");
	check(!haarlem::CascadeClassifier::convert(argv[first], "/nowhere/new.xml"), "written where nothing can be");
	std::vector<Outcome> want, got;
	arguments<cv::CascadeClassifier>(argv[first], pictures[0], want);
	arguments<haarlem::CascadeClassifier>(argv[first], pictures[0], got);
	for (std::size_t k = 0; k < want.size(); k++)
		check(got[k] == want[k], ("argument " + std::to_string(k) + ": error " + std::to_string(got[k].error) + ", want " + std::to_string(want[k].error)).c_str());
	std::printf("%d calls, %zu rectangles, %d differences; OpenCV took %.1f times as long\n", calls, rectangles, differences, seconds[0] / seconds[1]);
	return differences > 0 || rectangles == 0;
}

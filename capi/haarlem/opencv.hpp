/*
 * haarlem/opencv.hpp - haarlem::CascadeClassifier, which is cv::CascadeClassifier of
 * OpenCV 4 over libhaarlem: the same methods, and the same rectangles, in the order that
 * OpenCV has with one thread. OpenCV 5 has no CascadeClassifier.
 *
 *   #include <haarlem/opencv.hpp>
 *
 *   haarlem::CascadeClassifier faces("haarcascade_frontalface_default.xml");
 *   std::vector<cv::Rect> found;
 *   faces.detectMultiScale(picture, found);
 *
 *   c++ program.cpp $(pkg-config --cflags --libs haarlem opencv4)
 *
 * It needs OpenCV's modules core and imgproc, and not objdetect. With
 *
 *   #define HAARLEM_AS_OPENCV
 *
 * before the include, which comes after OpenCV's own, cv::CascadeClassifier means this
 * class in what follows; no other line of a program changes.
 *
 * Not here: setMaskGenerator and getMaskGenerator, and the member cc. Errors are
 * cv::Exception, as OpenCV's are. A search uses cv::getNumThreads() threads, and what it
 * finds does not depend on them. Any number of threads may search with one classifier.
 */
#ifndef HAARLEM_OPENCV_HPP
#define HAARLEM_OPENCV_HPP

#include <haarlem.h>

#include <opencv2/core.hpp>

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace haarlem {

/* Flags that have no effect, as in OpenCV 3 and later. */
enum {
	CASCADE_DO_CANNY_PRUNING = 1,
	CASCADE_SCALE_IMAGE = 2,
	CASCADE_FIND_BIGGEST_OBJECT = 4,
	CASCADE_DO_ROUGH_SEARCH = 8
};

class CascadeClassifier {
public:
	CascadeClassifier() {}
	CascadeClassifier(const cv::String &filename) { load(filename); }

	bool empty() const { return !model; }

	/* Reads a cascade, in OpenCV's XML or the native format. False means that the file
	 * cannot be read; one that is damaged is an error. */
	bool load(const cv::String &filename)
	{
		model.reset();
		if (filename.empty())
			CV_Error(cv::Error::StsNullPtr, "NULL or empty filename");
		char error[300] = "";
		haarlem_model *opened = nullptr;
		int status = haarlem_open_file(filename.c_str(), &opened, error, sizeof error);
		if (status == HAARLEM_ERR_FILE)
			return false;
		return take(status, opened, error);
	}

	/* Reads a cascade out of a cv::FileStorage, such as its getFirstTopLevelNode(). False
	 * means that the node is none. */
	bool read(const cv::FileNode &node)
	{
		model.reset();
		if (node.empty() || !node.isMap())
			return false;
		cv::FileStorage out(".xml", cv::FileStorage::WRITE | cv::FileStorage::MEMORY | cv::FileStorage::FORMAT_XML);
		write(out, "cascade", node);
		const cv::String text = out.releaseAndGetString();
		haarlem_model *opened = nullptr;
		if (haarlem_open_memory(text.data(), text.size(), &opened, nullptr, 0) != HAARLEM_OK)
			return false;
		return take(HAARLEM_OK, opened, "");
	}

	/* Writes a cascade of the old form, or any that OpenCV's form can express, in the form
	 * that OpenCV 4 writes. False means that this cannot be. */
	static bool convert(const cv::String &oldcascade, const cv::String &newcascade)
	{
		haarlem_model *opened = nullptr;
		if (haarlem_open_file(oldcascade.c_str(), &opened, nullptr, 0) != HAARLEM_OK)
			return false;
		const std::unique_ptr<haarlem_model, Close> from(opened);
		std::vector<char> all;
		std::size_t size = 0;
		haarlem_write(opened, HAARLEM_XML, nullptr, 0, &size, nullptr, 0);
		all.resize(size);
		if (haarlem_write(opened, HAARLEM_XML, all.data(), all.size(), &size, nullptr, 0) != HAARLEM_OK)
			return false;
		std::ofstream to(newcascade.c_str(), std::ios::binary);
		to.write(all.data(), static_cast<std::streamsize>(all.size()));
		to.close();
		return to.good();
	}

	void detectMultiScale(cv::InputArray image, std::vector<cv::Rect> &objects, double scaleFactor = 1.1, int minNeighbors = 3,
	                      int flags = 0, cv::Size minSize = cv::Size(), cv::Size maxSize = cv::Size()) const
	{
		(void)flags;
		boxes(search(image, scaleFactor, minNeighbors, minSize, maxSize), objects);
	}

	/* numDetections are how many windows were grouped into each object. */
	void detectMultiScale(cv::InputArray image, std::vector<cv::Rect> &objects, std::vector<int> &numDetections,
	                      double scaleFactor = 1.1, int minNeighbors = 3, int flags = 0, cv::Size minSize = cv::Size(),
	                      cv::Size maxSize = cv::Size()) const
	{
		(void)flags;
		const std::vector<haarlem_detection> found = search(image, scaleFactor, minNeighbors, minSize, maxSize);
		boxes(found, objects);
		numDetections.clear();
		for (const haarlem_detection &f : found)
			numDetections.push_back(f.neighbors);
	}

	/* rejectLevels are the numbers of stages, levelWeights the scores of the last stage.
	 * They need outputRejectLevels, without which OpenCV has an error too, unless nothing
	 * is found. */
	void detectMultiScale(cv::InputArray image, std::vector<cv::Rect> &objects, std::vector<int> &rejectLevels,
	                      std::vector<double> &levelWeights, double scaleFactor = 1.1, int minNeighbors = 3, int flags = 0,
	                      cv::Size minSize = cv::Size(), cv::Size maxSize = cv::Size(), bool outputRejectLevels = false) const
	{
		(void)flags;
		const std::vector<haarlem_detection> found = search(image, scaleFactor, minNeighbors, minSize, maxSize);
		boxes(found, objects);
		rejectLevels.clear();
		levelWeights.clear();
		CV_Assert(outputRejectLevels || found.empty());
		for (const haarlem_detection &f : found) {
			rejectLevels.push_back(f.level);
			levelWeights.push_back(f.score);
		}
	}

	/* False: files of the old form are read, but not kept as such. OpenCV 4 says so too. */
	bool isOldFormatCascade() const
	{
		CV_Assert(!empty());
		return false;
	}
	void *getOldCascade()
	{
		CV_Assert(!empty());
		return nullptr;
	}

	cv::Size getOriginalWindowSize() const
	{
		const haarlem_model_info i = info();
		return cv::Size(i.width, i.height);
	}

	/* 0 for Haar-like features, 1 for local binary patterns. */
	int getFeatureType() const { return info().features; }

private:
	struct Close {
		void operator()(haarlem_model *m) const { haarlem_close(m, nullptr, 0); }
	};
	std::shared_ptr<haarlem_model> model; /* copies share it, as OpenCV's do */

	bool take(int status, haarlem_model *opened, const char *error)
	{
		if (status != HAARLEM_OK)
			CV_Error(cv::Error::StsParseError, error);
		model.reset(opened, Close());
		return true;
	}

	haarlem_model_info info() const
	{
		CV_Assert(!empty());
		haarlem_model_info i = haarlem_model_info();
		i.size = sizeof i;
		char error[300] = "";
		if (haarlem_info(model.get(), &i, error, sizeof error) != HAARLEM_OK)
			CV_Error(cv::Error::StsError, error);
		return i;
	}

	/* Writes a node, and what is in it. */
	static void write(cv::FileStorage &out, const cv::String &name, const cv::FileNode &node)
	{
		if (node.isMap() || node.isSeq()) {
			cv::internal::WriteStructContext in(out, name, node.isMap() ? cv::FileNode::MAP : cv::FileNode::SEQ);
			for (cv::FileNodeIterator i = node.begin(), end = node.end(); i != end; ++i)
				write(out, node.isMap() ? (*i).name() : cv::String(), *i);
		} else if (node.isInt()) {
			cv::write(out, name, static_cast<int>(node));
		} else if (node.isReal()) {
			cv::write(out, name, static_cast<double>(node));
		} else if (node.isString()) {
			cv::write(out, name, static_cast<cv::String>(node));
		}
	}

	std::vector<haarlem_detection> search(cv::InputArray image, double scaleFactor, int minNeighbors, cv::Size minSize,
	                                      cv::Size maxSize) const
	{
		CV_Assert(!empty());
		CV_Assert(scaleFactor > 1 && image.depth() == CV_8U);
		std::vector<haarlem_detection> found;
		if (image.empty())
			return found;
		const cv::Mat m = image.getMat(); /* of a cv::UMat, its pixels for the processor */
		CV_Assert(m.dims <= 2);
		const int channels = m.channels();
		if (channels != 1 && channels != 3 && channels != 4)
			CV_Error(cv::Error::StsError, "an image has 1, 3 or 4 channels");

		haarlem_image pixels = haarlem_image();
		pixels.pixels = m.ptr();
		pixels.width = m.cols;
		pixels.height = m.rows;
		pixels.stride = static_cast<std::ptrdiff_t>(m.step[0]);
		pixels.format = channels == 1 ? HAARLEM_GREY : channels == 3 ? HAARLEM_BGR : HAARLEM_BGRA;

		haarlem_options options = haarlem_options();
		options.size = sizeof options;
		options.scale = std::min(scaleFactor, 1024.0); /* a larger one has no second level either */
		options.min_width = std::max(minSize.width, 0);
		options.min_height = std::max(minSize.height, 0);
		if (maxSize.width != 0 && maxSize.height != 0) {
			options.max_width = std::max(maxSize.width, 1); /* no size is within a negative bound, nor 1 */
			options.max_height = std::max(maxSize.height, 1);
		}
		options.min_neighbors = std::max(minNeighbors, 0);
		options.flags = static_cast<std::uint32_t>(minNeighbors <= 0 ? HAARLEM_OPENCV | HAARLEM_UNGROUPED : HAARLEM_OPENCV);
		options.workers = std::max(cv::getNumThreads(), 1);
		options.max_candidates = -1;

		char error[300] = "";
		std::size_t count = 64;
		int status;
		do {
			found.resize(count);
			status = haarlem_detect(model.get(), &pixels, &options, found.data(), found.size(), &count, error, sizeof error);
		} while (status == HAARLEM_ERR_BUFFER);
		if (status != HAARLEM_OK)
			CV_Error(cv::Error::StsBadArg, error);
		found.resize(count);
		return found;
	}

	static void boxes(const std::vector<haarlem_detection> &found, std::vector<cv::Rect> &objects)
	{
		objects.clear();
		for (const haarlem_detection &f : found)
			objects.push_back(cv::Rect(f.x, f.y, f.width, f.height));
	}
};

/* The name that HAARLEM_AS_OPENCV may need. */
typedef CascadeClassifier HaarlemCascadeClassifier;

namespace detail {

struct Similar {
	double eps;
	bool operator()(const cv::Rect &a, const cv::Rect &b) const
	{
		const double d = eps * (std::min(a.width, b.width) + std::min(a.height, b.height)) * 0.5;
		return std::abs(a.x - b.x) <= d && std::abs(a.y - b.y) <= d && std::abs(a.x + a.width - b.x - b.width) <= d &&
		       std::abs(a.y + a.height - b.y - b.height) <= d;
	}
};

struct Group {
	cv::Rect box;
	int n, level;
	double weight;
	Group() : n(0), level(0), weight(DBL_MIN) {}

	/* Whether this group is inside g, which is stronger. */
	bool inside(const Group &g, double eps) const
	{
		const int dx = cv::saturate_cast<int>(g.box.width * eps), dy = cv::saturate_cast<int>(g.box.height * eps);
		return box.x >= g.box.x - dx && box.y >= g.box.y - dy && box.x + box.width <= g.box.x + g.box.width + dx &&
		       box.y + box.height <= g.box.y + g.box.height + dy && (g.n > std::max(3, n) || n < 3);
	}
};

} // namespace detail

/* Replaces rectangles by the means of groups of similar ones. weights become the numbers
 * of members; with levelWeights, both are levels and their weights, of which each group
 * has the largest. */
inline void groupRectangles(std::vector<cv::Rect> &rectList, int groupThreshold, double eps, std::vector<int> *weights,
                            std::vector<double> *levelWeights)
{
	if (groupThreshold <= 0 || rectList.empty()) {
		if (weights && !levelWeights)
			weights->assign(rectList.size(), 1);
		return;
	}
	std::vector<int> labels;
	const detail::Similar similar = {eps};
	std::vector<detail::Group> all(static_cast<std::size_t>(cv::partition(rectList, labels, similar))), groups;
	const bool levels = levelWeights && weights && !weights->empty() && !levelWeights->empty();
	for (std::size_t i = 0; i < rectList.size(); i++) {
		detail::Group &g = all[static_cast<std::size_t>(labels[i])];
		const cv::Rect &r = rectList[i];
		g.box = cv::Rect(g.box.x + r.x, g.box.y + r.y, g.box.width + r.width, g.box.height + r.height);
		g.n++;
		if (levels && ((*weights)[i] > g.level || ((*weights)[i] == g.level && (*levelWeights)[i] > g.weight))) {
			g.level = (*weights)[i];
			g.weight = (*levelWeights)[i];
		}
	}
	for (detail::Group &g : all) {
		if (g.n <= groupThreshold)
			continue;
		const float s = 1.f / static_cast<float>(g.n);
		const auto mean = [s](int sum) { return cv::saturate_cast<int>(static_cast<float>(sum) * s); };
		g.box = cv::Rect(mean(g.box.x), mean(g.box.y), mean(g.box.width), mean(g.box.height));
		groups.push_back(g);
	}
	rectList.clear();
	if (weights)
		weights->clear();
	if (levelWeights)
		levelWeights->clear();
	for (const detail::Group &g : groups) {
		if (std::any_of(groups.begin(), groups.end(), [&](const detail::Group &o) { return &o != &g && g.inside(o, eps); }))
			continue;
		rectList.push_back(g.box);
		if (weights)
			weights->push_back(levels ? g.level : g.n);
		if (levelWeights)
			levelWeights->push_back(g.weight);
	}
}

inline void groupRectangles(std::vector<cv::Rect> &rectList, int groupThreshold, double eps = 0.2)
{
	haarlem::groupRectangles(rectList, groupThreshold, eps, nullptr, nullptr);
}

inline void groupRectangles(std::vector<cv::Rect> &rectList, std::vector<int> &weights, int groupThreshold, double eps = 0.2)
{
	haarlem::groupRectangles(rectList, groupThreshold, eps, &weights, nullptr);
}

inline void groupRectangles(std::vector<cv::Rect> &rectList, std::vector<int> &rejectLevels, std::vector<double> &levelWeights,
                            int groupThreshold, double eps = 0.2)
{
	haarlem::groupRectangles(rectList, groupThreshold, eps, &rejectLevels, &levelWeights);
}

} // namespace haarlem

#ifdef HAARLEM_AS_OPENCV
#if CV_VERSION_MAJOR < 5 && defined(__has_include)
#if __has_include(<opencv2/objdetect.hpp>)
#define HAARLEM_BESIDE_OBJDETECT
#include <opencv2/objdetect.hpp>
#endif
#endif
namespace cv {
#ifdef HAARLEM_BESIDE_OBJDETECT
using haarlem::HaarlemCascadeClassifier;
/* cv has a class of that name, so that another one can only take its place so. */
#define CascadeClassifier HaarlemCascadeClassifier
#else
using haarlem::CascadeClassifier;
using haarlem::CASCADE_DO_CANNY_PRUNING;
using haarlem::CASCADE_DO_ROUGH_SEARCH;
using haarlem::CASCADE_FIND_BIGGEST_OBJECT;
using haarlem::CASCADE_SCALE_IMAGE;
using haarlem::groupRectangles;
#endif
} // namespace cv
#endif

#endif

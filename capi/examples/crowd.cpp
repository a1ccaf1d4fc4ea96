// Counts the faces in many pictures at once, one thread for each, with one model.
//
//   c++ -std=c++17 crowd.cpp $(pkg-config --cflags --libs haarlem) -pthread -o crowd
//   ./crowd *.pgm
#include <haarlem.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace haarlem {

// A Model closes itself and throws what went wrong.
class Model {
public:
	explicit Model(const char *name)
	{
		char error[300];
		haarlem_model *m;
		if (haarlem_open_builtin(name, &m, error, sizeof error) != HAARLEM_OK)
			throw std::runtime_error(error);
		model.reset(m);
	}

	std::vector<haarlem_detection> detect(const haarlem_image &image, const haarlem_options *options = nullptr) const
	{
		char error[300];
		std::vector<haarlem_detection> found(16);
		for (;;) {
			std::size_t count;
			int status = haarlem_detect(model.get(), &image, options, found.data(), found.size(), &count, error, sizeof error);
			if (status != HAARLEM_OK && status != HAARLEM_ERR_BUFFER)
				throw std::runtime_error(error);
			found.resize(count);
			if (status == HAARLEM_OK)
				return found;
		}
	}

private:
	struct Close {
		void operator()(haarlem_model *m) const { haarlem_close(m, nullptr, 0); }
	};
	std::unique_ptr<haarlem_model, Close> model;
};

} // namespace haarlem

struct Picture {
	std::int32_t width = 0, height = 0;
	std::vector<std::uint8_t> pixels;

	explicit Picture(const std::string &path)
	{
		std::ifstream in(path, std::ios::binary);
		std::string kind;
		int most = 0;
		in >> kind >> width >> height >> most;
		in.get();
		if (!in || kind != "P5" || most != 255 || width < 1 || height < 1 || width > 30000 || height > 30000)
			throw std::runtime_error(path + ": not a picture in the PGM form (P5)");
		pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
		in.read(reinterpret_cast<char *>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
		if (!in)
			throw std::runtime_error(path + ": ends early");
	}

	haarlem_image image() const { return {pixels.data(), width, height, width, HAARLEM_GREY}; }
};

int main(int argc, char **argv)
try {
	const haarlem::Model model(nullptr);
	haarlem_options options = {};
	options.size = sizeof options;
	options.workers = 1; // a thread for each picture is enough

	std::vector<std::string> lines(static_cast<std::size_t>(argc));
	std::vector<std::thread> threads;
	for (int i = 1; i < argc; i++)
		threads.emplace_back([&, i] {
			std::string path = argv[i];
			try {
				const Picture picture(path);
				lines[i] = path + ": " + std::to_string(model.detect(picture.image(), &options).size());
			} catch (const std::exception &e) {
				lines[i] = e.what();
			}
		});
	for (auto &t : threads)
		t.join();
	for (int i = 1; i < argc; i++)
		std::cout << lines[i] << '\n';
	return 0;
} catch (const std::exception &e) {
	std::cerr << "crowd: " << e.what() << '\n';
	return 1;
}

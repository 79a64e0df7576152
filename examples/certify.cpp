// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// certify driver.sys [--seed N] [--device model.so] [--failures N] [--limit SECONDS]
//
// A compiled x64 display driver, as it is, on a desk: it is loaded, registers with the graphics kernel, starts, pages, is
// scheduled, stops and is unloaded on the simulators, and what is wrong with it is named. The driver runs in processes of
// their own: it may crash or hang. Exit code 0: nothing was found; 1: something was; 2: there is nothing to run.

#include <wddmcore/testing/certify/certify.hpp>

#include <cstdio>

#if defined(__x86_64__) && defined(__linux__)
#    include <charconv>
#    include <dlfcn.h>
#    include <fstream>
#    include <iterator>

namespace {

using namespace wddmcore;

struct arguments {
    std::string image;
    std::string device;
    testing::certify_options options;
};

constexpr char usage[] = "certify driver.sys [--seed N] [--device model.so] [--failures N] [--limit SECONDS]\n"
                         "    --seed N           what is decided by dice; the same seed gives the same report\n"
                         "    --device model.so  the device, as include/wddmcore/testing/device_model.h says\n"
                         "    --failures N       one more run in which N of 1,000 requests to the kernel fail\n"
                         "    --limit SECONDS    of one run; 20\n";

bool number(std::string const& text, auto& to) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<arguments> parse(int count, char** words) {
    arguments a;
    for (int i = 1; i < count; ++i) {
        std::string const word = words[i];
        if (!word.starts_with("--")) {
            if (!a.image.empty()) {
                return std::nullopt;
            }
            a.image = word;
            continue;
        }
        if (++i == count) {
            return std::nullopt;
        }
        std::string const value = words[i];
        bool const good = word == "--seed"       ? number(value, a.options.seed)
                          : word == "--failures" ? number(value, a.options.failures) && a.options.failures <= 1000
                          : word == "--limit"  ? number(value, a.options.limit_seconds) && a.options.limit_seconds != 0
                          : word == "--device" ? !(a.device = value).empty()
                                               : false;
        if (!good) {
            return std::nullopt;
        }
    }
    return a.image.empty() ? std::nullopt : std::optional(a);
}

int refused(std::string const& why) {
    std::printf("%s\n", why.c_str());
    return 2;
}

int run(arguments a) {
    std::ifstream in(a.image, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        return refused(a.image + " cannot be read");
    }
    auto const* const bytes = reinterpret_cast<std::byte const*>(text.data());
    testing::pe_file const file({bytes, bytes + text.size()});
    if (!file.good()) {
        return refused(a.image + ": " + testing::sentence_of(file.fault()));
    }
    wddmcore_device_model model{};
    if (!a.device.empty()) {
        std::string const path = a.device.find('/') == std::string::npos ? "./" + a.device : a.device;
        void* const library = ::dlopen(path.c_str(), RTLD_NOW);
        auto const make =
            library == nullptr
                ? nullptr
                : reinterpret_cast<decltype(&wddmcore_make_device)>(::dlsym(library, "wddmcore_make_device"));
        static wddmcore_device_host const host{sizeof host, nullptr, &testing::certify_parts::image_run::interrupt};
        model.size = sizeof model;
        if (make == nullptr || make(&host, &model) != 0) {
            char const* const why = ::dlerror();
            return refused(a.device + " makes no device" + (why != nullptr ? std::string(": ") + why : ""));
        }
        a.options.model = &model;
    }
    auto const report = testing::certify(file, a.options);
    std::printf("%s", report.text().c_str());
    return report.passed() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    auto const a = parse(count, words);
    if (!a) {
        return refused(usage);
    }
    try {
        return run(*a);
    } catch (std::exception const& e) {
        return refused(e.what());
    }
}

#else

int main() {
    std::printf("certify runs on x86-64 Linux\n");
    return 2;
}

#endif

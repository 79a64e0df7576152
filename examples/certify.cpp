// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// certify driver.sys [--seed N] [--device model.so] [--only SCENARIO] [--trace FILE] [--html FILE], and more: see `usage`.
//
// A compiled x64 display driver, as it is, on a desk: it is loaded, registers with the graphics kernel, starts, pages, is
// scheduled, stops and is unloaded on the simulators, and what is wrong with it is named. The driver runs in processes of
// their own: it may crash or hang. Exit code 0: nothing was found; 1: something was; 2: there is nothing to run.
//
// In place of driver.sys: driver.so, which testing/image/bind_driver.py makes of a driver's own object files.

#include <wddmcore/testing/certify/image/certify.hpp>

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
    std::string junit;
    std::string html;
    std::uint32_t failures = 0;
    bool double_fetches = false;
    std::vector<testing::registry_value> registry;
    testing::certified_options options{.seconds = 20};
};

constexpr char usage[] =
    "certify driver.sys [OPTION...]\n"
    "certify driver.so [OPTION...]   from source: object files, by testing/image/bind_driver.py\n"
    "    --seed N           what is decided by dice; the same seed gives the same report\n"
    "    --device model.so  the device, as include/wddmcore/testing/device_model.h says\n"
    "    --failures N       one more run in which N of 1,000 requests to the kernel fail\n"
    "    --double-fetches   one more run that tells what a driver reads twice of what an application sends\n"
    "    --only SCENARIO    this one and no other; several times: these\n"
    "    --steps N          of each run of paging; 300\n"
    "    --packets N        of each run of scheduling; 200\n"
    "    --shrink           plays what has a finding again, to name the shortest run that has it\n"
    "    --limit SECONDS    of one run; 20\n"
    "    --trace FILE       what happened, for a viewer of Chrome's trace events; of several scenarios a file each\n"
    "    --junit FILE       the report as JUnit XML, too\n"
    "    --html FILE        the report as one HTML page, too\n"
    "    --registry NAME=VALUE\n"
    "                       what the driver finds in its keys: a number is a REG_DWORD, anything else a REG_SZ, and so is\n"
    "                       what follows sz:\n";

bool setting(std::string const& text, std::vector<testing::registry_value>& to) {
    auto found = testing::registry_value::parse(text);
    if (found) {
        to.push_back(std::move(*found));
    }
    return found.has_value();
}

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
        if (word == "--shrink") {
            a.options.shrink = true;
            continue;
        }
        if (word == "--double-fetches") {
            a.double_fetches = true;
            continue;
        }
        if (++i == count) {
            return std::nullopt;
        }
        std::string const value = words[i];
        bool const good = word == "--seed"       ? number(value, a.options.seed)
                          : word == "--failures" ? number(value, a.failures) && a.failures <= 1000
                          : word == "--limit"    ? number(value, a.options.seconds) && a.options.seconds != 0
                          : word == "--steps"    ? number(value, a.options.steps)
                          : word == "--packets"  ? number(value, a.options.packets)
                          : word == "--only"     ? !a.options.only.emplace_back(value).empty()
                          : word == "--trace"    ? !(a.options.trace = value).empty()
                          : word == "--device"   ? !(a.device = value).empty()
                          : word == "--junit"    ? !(a.junit = value).empty()
                          : word == "--html"     ? !(a.html = value).empty()
                          : word == "--registry" ? setting(value, a.registry)
                                                 : false;
        if (!good) {
            return std::nullopt;
        }
    }
    a.options.command = "certify " + a.image + (a.device.empty() ? "" : " --device " + a.device) +
                        (a.failures != 0 ? " --failures " + std::to_string(a.failures) : "") +
                        (a.double_fetches ? " --double-fetches" : "");
    return a.image.empty() ? std::nullopt : std::optional(a);
}

int refused(std::string const& why) {
    std::printf("%s\n", why.c_str());
    return 2;
}

int run(arguments const& a) {
    std::ifstream in(a.image, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        return refused(a.image + " cannot be read");
    }
    testing::certified_image driver{
        a.image.substr(a.image.rfind('/') + 1), {}, nullptr, a.failures, a.registry, a.double_fetches};
    std::optional<testing::pe_file> file;
    if (text.starts_with("\177ELF")) {
        auto const opened = testing::open_driver_library(a.image);
        if (opened.bound == nullptr) {
            return refused(a.image + ": " + opened.why);
        }
        driver.source.library = opened.bound;
    } else {
        auto const* const bytes = reinterpret_cast<std::byte const*>(text.data());
        file.emplace(std::vector(bytes, bytes + text.size()));
        if (!file->good()) {
            return refused(a.image + ": " + testing::sentence_of(file->fault()));
        }
        driver.source.file = &*file;
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
        driver.model = &model;
    }
    testing::certified_report const report = testing::certify(driver, a.options);
    if (report.scenarios.empty()) {
        return refused("no scenario of this driver has such a name");
    }
    std::printf("%s", report.text().c_str());
    if (!a.junit.empty() && !(std::ofstream(a.junit) << report.junit())) {
        return refused(a.junit + " cannot be written");
    }
    if (!a.html.empty() && !(std::ofstream(a.html) << report.html())) {
        return refused(a.html + " cannot be written");
    }
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

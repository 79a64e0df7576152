// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "page_lists.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>

#if defined(__linux__)
#    include <fcntl.h>
#    include <sys/mman.h>
#    include <unistd.h>
#endif

namespace wddmcore::examples {

namespace {

constexpr std::uint64_t first_made_page = 0x10'0000;  // from 4 GiB up: a page number taken for an offset is noticed

}  // namespace

std::size_t count_runs(std::vector<std::uint64_t> const& numbers) {
    std::size_t runs = numbers.empty() ? 0 : 1;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        runs += numbers[i] != numbers[i - 1] + 1;
    }
    return runs;
}

#if defined(__linux__)

std::optional<page_list> host_pages(std::size_t count, std::string& why_not) {
    constexpr std::size_t page = 4096;
    if (::sysconf(_SC_PAGESIZE) != static_cast<long>(page)) {
        why_not = "this host's pages are not 4096 bytes";
        return std::nullopt;
    }
    void* const memory = ::mmap(nullptr, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        why_not = "this host gives no mapping of that size";
        return std::nullopt;
    }
    auto const unmap = [count](void* at) { ::munmap(at, count * page); };
    std::unique_ptr<void, decltype(unmap)> const owner(memory, unmap);
    for (std::size_t i = 0; i < count; ++i) {
        static_cast<char volatile*>(memory)[i * page] = 1;
    }
    int const file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        why_not = "/proc/self/pagemap cannot be opened";
        return std::nullopt;
    }
    page_list list;
    list.numbers.resize(count);
    std::size_t const size = count * sizeof(std::uint64_t);
    auto const offset = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(memory) / page * sizeof(std::uint64_t));
    std::size_t done = 0;
    while (done < size) {
        ssize_t const n = ::pread(file, reinterpret_cast<char*>(list.numbers.data()) + done, size - done,
                                  offset + static_cast<off_t>(done));
        if (n <= 0) {
            break;
        }
        done += static_cast<std::size_t>(n);
    }
    ::close(file);
    constexpr std::uint64_t present = std::uint64_t{1} << 63;
    constexpr std::uint64_t frame = (std::uint64_t{1} << 55) - 1;
    for (std::uint64_t& number : list.numbers) {
        bool const known = (number & present) != 0 && (number & frame) != 0;
        number &= frame;
        if (!known || done < size) {
            why_not = "/proc/self/pagemap hides page frames from this user";
            return std::nullopt;
        }
        if (number > highest_page) {
            why_not = "this host has page frames above 1efffffff";
            return std::nullopt;
        }
    }
    list.origin = "page frames of this host";
    return list;
}

#else

std::optional<page_list> host_pages(std::size_t, std::string& why_not) {
    why_not = "only Linux tells a process its page frames";
    return std::nullopt;
}

#endif

std::optional<page_list> recorded_pages(std::string const& path, std::string& why_not) {
    std::ifstream file(path);
    if (!file) {
        why_not = "the file " + path + " cannot be read";
        return std::nullopt;
    }
    page_list list;
    list.origin = "recorded in " + path.substr(path.find_last_of('/') + 1);
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::uint64_t first = 0;
        std::uint64_t count = 0;
        if (!(words >> std::hex >> first)) {
            words.clear();
            std::string rest;
            if (words >> rest) {
                why_not = path + " line " + std::to_string(number) +
                          ": expected two hexadecimal numbers, first page and count";
                return std::nullopt;
            }
            continue;
        }
        constexpr std::uint64_t most_pages = std::uint64_t{1} << 24;
        std::string rest;
        if (!(words >> count) || (words >> rest) || count == 0 || count > most_pages - list.numbers.size() ||
            first > highest_page || count > highest_page - first + 1) {
            why_not =
                path + " line " + std::to_string(number) +
                ": expected two hexadecimal numbers, a first page and a count, pages up to 1efffffff and 2^24 in all";
            return std::nullopt;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            list.numbers.push_back(first + i);
        }
    }
    if (list.numbers.empty()) {
        why_not = path + " has no pages";
        return std::nullopt;
    }
    std::vector<std::uint64_t> sorted = list.numbers;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        why_not = path + " names a page twice";
        return std::nullopt;
    }
    return list;
}

std::string as_text(page_list const& list) {
    std::ostringstream text;
    text << "# " << list.numbers.size() << " pages in " << count_runs(list.numbers) << " runs, " << list.origin << "\n"
         << std::hex;
    for (std::size_t i = 0; i < list.numbers.size();) {
        std::size_t end = i + 1;
        while (end < list.numbers.size() && list.numbers[end] == list.numbers[end - 1] + 1) {
            ++end;
        }
        text << list.numbers[i] << ' ' << end - i << '\n';
        i = end;
    }
    return text.str();
}

page_list random_pages(std::size_t count, std::uint64_t seed) {
    // Even numbers in random order: all different, and no two consecutive.
    page_list list{std::vector<std::uint64_t>(count), "made: random, seed " + std::to_string(seed)};
    for (std::size_t i = 0; i < count; ++i) {
        list.numbers[i] = first_made_page + 2 * i;
    }
    std::mt19937_64 random(seed);
    for (std::size_t i = count; i > 1; --i) {
        std::swap(list.numbers[i - 1], list.numbers[random() % i]);
    }
    return list;
}

page_list contiguous_pages(std::size_t count) {
    page_list list{std::vector<std::uint64_t>(count), "made: contiguous"};
    std::iota(list.numbers.begin(), list.numbers.end(), first_made_page);
    return list;
}

std::optional<page_list> stretched(page_list const& list, std::size_t count, std::string& why_not) {
    page_list longer{{}, list.origin};
    auto const [lowest, highest] = std::minmax_element(list.numbers.begin(), list.numbers.end());
    std::uint64_t const reach = *highest - *lowest + 2;  // no run goes on in the next copy
    for (std::uint64_t shift = 0; longer.numbers.size() < count; shift += reach) {
        if (shift > highest_page - *highest) {
            why_not = std::to_string(count) +
                      " pages are expected, and the list cannot be repeated: page numbers would pass "
                      "1efffffff";
            return std::nullopt;
        }
        for (std::size_t i = 0; i < list.numbers.size() && longer.numbers.size() < count; ++i) {
            longer.numbers.push_back(list.numbers[i] + shift);
        }
    }
    return longer;
}

}  // namespace wddmcore::examples

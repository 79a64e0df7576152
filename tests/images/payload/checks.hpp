// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base.hpp>

/// The ledger of the self-checks that every image runs: named checks, how many there were, which failed, and a hash of
/// everything that the library built or answered. No C runtime, no allocation.
namespace images {

using namespace wddmcore;

class checks;

/// What is wrong on purpose, and its place among the checks; planted.cpp lists what there is.
extern u32 const volatile planted;
void check_planted(checks& to);

/// The memory that a GPU would read, from its first byte to its end: a machine that checks alignment checks it there.
extern "C" void* volatile guarded_memory[2];

/// Takes a line without its end.
using printer = void (*)(char const*);

/// A line of text on the stack, cut off at its end.
class line {
public:
    line& operator<<(char const* text) {
        for (; *text != '\0' && length_ + 1 < sizeof text_; ++text) {
            text_[length_++] = *text;
        }
        text_[length_] = '\0';
        return *this;
    }
    line& operator<<(u64 number) {
        char digits[21];
        u32 at = sizeof digits;
        digits[--at] = '\0';
        do {
            digits[--at] = static_cast<char>('0' + number % 10);
        } while ((number /= 10) != 0);
        return *this << (digits + at);
    }
    line& hex(u64 number) {
        char digits[17];
        for (u32 i = 0; i != 16; ++i) {
            digits[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
        }
        digits[16] = '\0';
        return *this << digits;
    }
    [[nodiscard]] char const* text() const { return text_; }

private:
    char text_[200] = {};
    u32 length_ = 0;
};

/// One dword as it is in memory. Volatile, so that no compiler reads two at once from an address that is aligned for
/// one.
[[nodiscard]] inline u32 dword_at(void const* at) { return *static_cast<u32 const volatile*>(at); }
inline void set_dword(void* at, u32 value) { *static_cast<u32 volatile*>(at) = value; }
[[nodiscard]] inline u64 qword_at(u32 const* at) { return dword_pair(dword_at(at), dword_at(at + 1)); }

class checks {
public:
    explicit checks(printer to) : print_(to) {}

    /// Says which part begins; the line of the part before it is printed.
    void begin(char const* part) {
        end();
        part_ = part;
        count_before_ = count_;
    }
    void end() {
        if (part_ != nullptr) {
            line text;
            text << "  " << part_ << ": " << u64{count_ - count_before_} << " checks";
            print_(text.text());
        }
        part_ = nullptr;
    }

    void expect(bool holds, char const* name, u64 detail = 0) {
        ++count_;
        if (!holds) {
            ++failed_;
            if (failed_ <= 20) {
                line text;
                text << "  FAILED: " << (part_ != nullptr ? part_ : "") << ": " << name << " (" << detail << ")";
                print_(text.text());
            }
        }
    }

    /// FNV-1a over dwords. A hash that differs between machines is a difference between their ABIs.
    void hash(u32 value) { hash_ = (hash_ ^ value) * 0x0000'0100'0000'01B3; }
    void hash64(u64 value) {
        hash(low_dword(value));
        hash(high_dword(value));
    }
    void hash(u32 const* words, u32 count) {
        for (u32 i = 0; i != count; ++i) {
            hash(dword_at(words + i));
        }
    }

    [[nodiscard]] u32 count() const { return count_; }
    [[nodiscard]] u32 failed() const { return failed_; }
    [[nodiscard]] u64 hashed() const { return hash_; }
    void print(char const* text) const { print_(text); }

private:
    printer print_;
    char const* part_ = nullptr;
    u32 count_ = 0;
    u32 count_before_ = 0;
    u32 failed_ = 0;
    u64 hash_ = 0xCBF2'9CE4'8422'2325;
};

/// Numbers that are the same on every machine.
class numbers {
public:
    explicit numbers(u64 seed) : state_(seed) {}
    [[nodiscard]] u32 next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<u32>(state_ >> 33);
    }
    [[nodiscard]] u32 below(u32 bound) { return next() % bound; }

private:
    u64 state_;
};

}  // namespace images

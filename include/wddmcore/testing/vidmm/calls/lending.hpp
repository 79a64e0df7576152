// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../guarded/pages.hpp"
#include "../journal.hpp"
#include "../random.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Which end of a loan touches an inaccessible page.
enum class loan_side : std::uint8_t {
    end,    ///< the byte past the last one faults
    start,  ///< the first byte is page-aligned
};

/// Memory that a driver may use for a while: full of junk at first, inaccessible afterwards.
///
/// Its addresses go to somebody else only after many other loans have come and gone, so that a stale pointer faults.
class loan {
public:
    explicit loan(std::size_t page_count) : pages_(page_count * page_size_, 1, guarded_source::own) {}

    loan(loan const&) = delete;
    loan& operator=(loan const&) = delete;
    ~loan() { journal::current().forget(entry_); }

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Data, and what follows it up to the end of the page.
    [[nodiscard]] std::span<std::byte> with_slack() const {
        return {data_, static_cast<std::size_t>(pages_.begin() + pages_.size() - data_)};
    }

    [[nodiscard]] bool ended() const { return ended_; }

    /// Begins anew.
    void begin(std::size_t size, loan_side side, std::uint64_t junk, char const* what, vidmm_rule outside,
               vidmm_rule late) {
        static_cast<void>(pages_.allow(pages_.begin(), pages_.size(), guarded_access::write));
        size_ = size;
        data_ = pages_.begin() + (side == loan_side::end ? pages_.size() - size : 0);
        ended_ = false;
        write_content({pages_.begin(), pages_.size()}, junk, 0);
        entry_ = journal::current().hand_over(entry_, data_, size, what, outside, late);
    }

    /// From now on every access faults; where the host cannot do that, everything becomes other junk.
    void end() {
        if (ended_) {
            return;
        }
        ended_ = true;
        journal::current().take_back(entry_);
        if (!pages_.allow(pages_.begin(), pages_.size(), guarded_access::none)) {
            write_content({pages_.begin(), pages_.size()}, ~std::uint64_t{0}, 0);
        }
    }

private:
    static constexpr std::size_t page_size_ = 4096;

    guarded_pages pages_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t entry_ = journal::none;
    bool ended_ = true;
};

/// Lends memory: new address space costs system calls, so what nobody holds any more is used again, oldest first.
class lender {
public:
    /// @param outside, late  broken by an access beside it, and after its time
    [[nodiscard]] std::shared_ptr<loan> lend(std::size_t size, loan_side side, std::uint64_t junk, char const* what,
                                             vidmm_rule outside, vidmm_rule late = vidmm_rule::pgb_07) {
        std::size_t const pages = std::max<std::size_t>((size + 4095) / 4096, 1);
        std::deque<std::shared_ptr<loan>>& shelf = shelves_[pages];
        std::shared_ptr<loan> found;
        // What somebody keeps for long goes to the end, so that it does not keep all others from being used again.
        for (std::size_t over = shelf.size() - std::min(shelf.size(), rest); over != 0 && found == nullptr; --over) {
            std::shared_ptr<loan> oldest = std::move(shelf.front());
            shelf.pop_front();
            if (oldest->ended() && oldest.use_count() == 1) {
                found = std::move(oldest);
            } else {
                shelf.push_back(std::move(oldest));
            }
        }
        if (found == nullptr) {
            found = std::make_shared<loan>(pages);
        }
        shelf.push_back(found);
        found->begin(size, side, junk, what, outside, late);
        return found;
    }

private:
    static constexpr std::size_t rest = 48;  // loans of a size that come in between

    std::map<std::size_t, std::deque<std::shared_ptr<loan>>> shelves_;
};

}  // namespace wddmcore::testing::vidmm_parts

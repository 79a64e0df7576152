// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../base/result.hpp"

/// The scheduling log of a node (hardware scheduling, WDDM 2.4): where the next entry goes.
///
/// The page gives names but no numbers for the log's layout, so the driver writes the entries itself.
///
/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The place of one log entry.
struct log_place {
    u32 log;    ///< which log: counts the calls of scheduling_log::replace()
    u32 index;  ///< of the entry in that log
    friend constexpr bool operator==(log_place, log_place) = default;
};

/// The log of one node, for a driver (or firmware) that writes the entries itself.
///
/// An entry is claimed, written and finished. After replace() nothing is claimed in the old log, and what was claimed
/// there must be finished before DxgkDdiSetSchedulingLogBuffer returns (HWS-09). All calls under one lock.
class scheduling_log {
public:
    /// DxgkDdiSetSchedulingLogBuffer: entries go to another log from now on.
    ///
    /// @param number_of_entries  NumberOfEntries of the new log's header; its index and count of wraps are 0
    /// @return true: the function may return now. false: entries of the old log are still being written; wait until
    ///         old_log_is_quiet() (HWS-09)
    /// Source: nc-d3dkmddi-dxgkddi_setschedulinglogbuffer.md, ns-d3dkmddi-_dxgk_scheduling_log_header.md.
    [[nodiscard]] constexpr bool replace(u32 number_of_entries) noexcept {
        ++log_;
        entries_ = number_of_entries;
        next_ = 0;
        wraps_ = 0;
        written_in_old_ += written_in_new_;
        written_in_new_ = 0;
        return old_log_is_quiet();
    }

    /// Whether DxgkDdiSetSchedulingLogBuffer may return. @return true: no entry of an older log is being written
    [[nodiscard]] constexpr bool old_log_is_quiet() const noexcept { return written_in_old_ == 0; }

    /// Takes the next entry of the newest log. Each claim is finished once.
    ///
    /// @return the place; write every member of the entry there, since entries are not zeroed (HWS-09). missing:
    ///         there is no log, or it has no entries, so log nothing
    [[nodiscard]] constexpr result<log_place> claim() noexcept {
        if (entries_ == 0) {
            return refused<log_place>(errc::missing);
        }
        log_place const place{log_, next_};
        ++written_in_new_;
        if (++next_ == entries_) {
            next_ = 0;
            ++wraps_;
        }
        return good(place);
    }

    /// An entry was written.
    /// @param place  as from claim()
    constexpr void finished(log_place place) noexcept {
        u32& writing = place.log == log_ ? written_in_new_ : written_in_old_;
        promise(writing != 0);
        --writing;
    }

    /// AtomicWraparoundAndEntryIndex, which is to be stored at once. @return FirstFreeEntryIndex and WraparoundCount
    [[nodiscard]] constexpr u64 index_and_wraps() const noexcept { return dword_pair(next_, wraps_); }

    /// How many entries of the newest log mean something (HWS-09). @return entries from the first; the others were
    /// never written
    [[nodiscard]] constexpr u32 valid_entries() const noexcept { return wraps_ != 0 ? entries_ : next_; }

private:
    u32 log_ = 0;
    u32 entries_ = 0;
    u32 next_ = 0;
    u32 wraps_ = 0;
    u32 written_in_new_ = 0;  // claimed and not finished
    u32 written_in_old_ = 0;
};

}  // namespace wddmcore::preemption

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory_laws.hpp"

#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws over memory that is named by addresses of the paging process: operations 8 and 9.
template <class Hw, class Args, class Build>
class virtual_laws : memory_laws_base<Hw, Args, Build> {
    using base = memory_laws_base<Hw, Args, Build>;
    using typename base::stretches;

public:
    virtual_laws(Hw& hw, law_memory const& memory, law_options const& options, law_report& report, Build const& build)
        : base(hw, memory, options, report, build, 0x7187) {}

    void check() {
        auto const& process = this->memory_.process;
        if (process.size.n < 16 * page_bytes ||
            !this->model_.add("the paging process", process.bus_address, process.size.n, this->random_)) {
            return;
        }
        for (unsigned i = 0; i < this->options_.rounds; ++i) {
            move_anywhere();
            move_over_itself();
            fill();
        }
        u64 const half = round_down(process.size.n / 2, page_bytes);
        auto const first = this->hw_.from_virtual(process.first);
        auto const second = this->hw_.from_virtual(process.first + bytes{half});
        this->check_largest(first, second, 0, half, process.size.n - half);
        this->check_padding(first, second, {{0, static_cast<std::size_t>(half), page_bytes}});
    }

private:
    [[nodiscard]] u64 range() const { return this->memory_.process.size.n; }
    [[nodiscard]] u64 address(u64 offset) const { return this->memory_.process.first.n + offset; }

    void move_anywhere() {
        u64 const unit = copy_unit(this->hw_).n;
        u64 const size = this->any_size(unit, range() / 2);
        u64 const from = this->random_.multiple(unit, range() - size);
        u64 const to = this->random_.multiple(unit, range() - size);
        if (this->may_move(from, to, size)) {
            move(from, to, size);
        }
    }

    void move_over_itself() {
        auto const s = this->any_shift(copy_unit(this->hw_).n, range());
        move(s.from, s.to, s.size);
    }

    void move(u64 from, u64 to, u64 size) {
        Args args = request_of<Args>(paging_operation::virtual_transfer);
        args.TransferVirtual = {};
        args.TransferVirtual.TransferSizeInBytes = size;
        args.TransferVirtual.SourceVirtualAddress = address(from);
        args.TransferVirtual.DestinationVirtualAddress = address(to);
        // OP08-01: it is never added, so it may be anything.
        args.TransferVirtual.AllocationOffsetInBytes = this->random_.below(1 << 20) * page_bytes;
        stretches const target{{0, static_cast<std::size_t>(to), static_cast<std::size_t>(size)}};
        this->model_copy({{0, static_cast<std::size_t>(from), static_cast<std::size_t>(size)}}, target);
        this->judge_request(
            args, target, size, this->move_law(from, to, size),
            say("a virtual transfer of ", size, " bytes from ", as_hex{address(from)}, " to ", as_hex{address(to)}));
    }

    void fill() {
        u64 const unit = fill_unit(this->hw_).n;
        u64 const size = this->any_size(unit, range());
        u64 const to = this->random_.multiple(unit, range() - size);
        u32 const pattern = this->any_pattern();
        Args args = request_of<Args>(paging_operation::virtual_fill);
        args.FillVirtual = {};
        args.FillVirtual.FillSizeInBytes = size;
        args.FillVirtual.FillPattern = pattern;
        args.FillVirtual.DestinationVirtualAddress = address(to);
        args.FillVirtual.AllocationOffsetInBytes = this->random_.below(1 << 20) * page_bytes;
        stretches const target{{0, static_cast<std::size_t>(to), static_cast<std::size_t>(size)}};
        this->model_.write(target, this->repeated(pattern, size));
        this->judge_request(
            args, target, size, law::fills_arrive,
            say("a virtual fill of ", size, " bytes at ", as_hex{address(to)}, " with ", as_hex{pattern}));
    }
};

}  // namespace wddmcore::testing::law_parts

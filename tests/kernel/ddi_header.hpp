// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror_binding.hpp>

/// What wdk/ needs of a DDI header, made of the mirrors: its version, and structures by their tags. So that code of the
/// functions there can be looked at without a stand-in for the whole header.

#define DXGKDDI_INTERFACE_VERSION_VISTA 0x1052
#define DXGKDDI_INTERFACE_VERSION 0x11007  // WDDM 3.2

namespace ddi = wddmcore::mirror::v3_2;
using queries = wddmcore::mirror_binding<wddmcore::wddm::v3_2>;

struct _DXGKARG_QUERYADAPTERINFO : ddi::dxgkarg_queryadapterinfo {};
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA : ddi::dxgkargcb_notify_interrupt_data {};

struct _DXGK_DRIVERCAPS : queries::drivercaps {};
struct _DXGK_QUERYSEGMENTIN4 : queries::querysegmentin4 {};
struct _DXGK_QUERYSEGMENTOUT4 : queries::querysegmentout4 {};
struct _DXGK_SEGMENTDESCRIPTOR4 : queries::segmentdescriptor4 {};
struct _DXGK_QUERYGPUMMUCAPSIN : queries::querygpummucapsin {};
struct _DXGK_GPUMMUCAPS : queries::gpummucaps {};
struct _DXGK_QUERYPAGETABLELEVELDESCIN : queries::querypagetableleveldescin {};
struct _DXGK_PAGE_TABLE_LEVEL_DESC : queries::page_table_level_desc {};
struct _DXGK_QUERYPHYSICALADAPTERCAPSIN : queries::queryphysicaladaptercapsin {};
struct _DXGK_PHYSICALADAPTERCAPS : queries::physicaladaptercaps {};
struct _DXGK_PHYSICAL_MEMORY_CAPS : queries::physical_memory_caps {};
struct _DXGK_IOMMU_CAPS : queries::iommu_caps {};

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: recursion

struct node {
    node const* left;
    node const* right;
};

int size(node const* tree) { return tree ? 1 + size(tree->left) * size(tree->right) : 0; }

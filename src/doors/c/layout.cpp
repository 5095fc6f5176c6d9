#include <vector>

#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Layout;

namespace {

// Makes a layout by `make` and gives it out.
template <class F>
cairn_status make_layout(cairn_layout_t* layout, F&& make) {
  return guarded([&] {
    required(layout, "layout");
    give(layout, std::forward<F>(make)());
  });
}

}  // namespace

extern "C" {

cairn_status cairn_layout_block_cyclic(int64_t rows, int64_t columns, const cairn_block_cyclic* how,
                                       cairn_layout_t* layout) {
  return make_layout(layout, [&] {
    const cairn_block_cyclic& h = *required(how, "how");
    return Layout::block_cyclic(rows, columns,
                                {.process_rows = h.process_rows,
                                 .process_columns = h.process_columns,
                                 .mb = h.mb,
                                 .nb = h.nb,
                                 .row_source = h.row_source,
                                 .column_source = h.column_source,
                                 .row_major = h.row_major != 0});
  });
}

cairn_status cairn_layout_elemental(int64_t rows, int64_t columns, int d0, int d1, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::elemental(rows, columns, d0, d1); });
}

cairn_status cairn_layout_blocked(int64_t rows, int64_t columns, int process_rows, int process_columns,
                                  cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::blocked(rows, columns, process_rows, process_columns); });
}

cairn_status cairn_layout_row_blocks(int64_t rows, int64_t columns, int ranks, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::row_blocks(rows, columns, ranks); });
}

cairn_status cairn_layout_column_blocks(int64_t rows, int64_t columns, int ranks, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::column_blocks(rows, columns, ranks); });
}

cairn_status cairn_layout_on_one_rank(int64_t rows, int64_t columns, int rank, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::on_one_rank(rows, columns, rank); });
}

cairn_status cairn_layout_replicated(int64_t rows, int64_t columns, int ranks, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::replicated(rows, columns, ranks); });
}

cairn_status cairn_layout_of_rectangles(int64_t rows, int64_t columns, int64_t count,
                                        const cairn_rectangle* rectangles, int row_major,
                                        cairn_layout_t* layout) {
  return make_layout(layout, [&] {
    expect(count >= 0, "count is {}, expected 0 or more", count);
    if (count > 0) required(rectangles, "rectangles");
    std::vector<cairn::Rectangle> all;
    for (int64_t i = 0; i < count; ++i) {
      const cairn_rectangle& r = rectangles[i];
      all.push_back({.first_row = r.first_row,
                     .end_row = r.end_row,
                     .first_column = r.first_column,
                     .end_column = r.end_column,
                     .owner = r.owner,
                     .offset = r.offset,
                     .leading_dimension = r.leading_dimension});
    }
    return Layout::of_rectangles(rows, columns, all, row_major != 0);
  });
}

cairn_status cairn_layout_scalapack(const int* descriptor, int process_rows, int process_columns,
                                    int row_major_grid, cairn_layout_t* layout) {
  return make_layout(layout, [&] {
    return Layout::scalapack({required(descriptor, "descriptor"), 9}, process_rows, process_columns,
                             row_major_grid != 0);
  });
}

cairn_status cairn_layout_parse(const char* text, int64_t rows, int64_t columns, cairn_layout_t* layout) {
  return make_layout(layout, [&] { return Layout::parse(required(text, "text"), rows, columns); });
}

cairn_status cairn_layout_sub_matrix(cairn_layout_t whole, int64_t i, int64_t j, int64_t rows,
                                     int64_t columns, cairn_layout_t* part) {
  return make_layout(part, [&] { return behind(whole, "whole")->sub_matrix(i, j, rows, columns); });
}

cairn_status cairn_layout_shape(cairn_layout_t layout, int64_t* rows, int64_t* columns) {
  return guarded([&] {
    const auto l = behind(layout, "layout");
    if (rows != nullptr) *rows = l->rows();
    if (columns != nullptr) *columns = l->columns();
  });
}

cairn_status cairn_layout_is_native(cairn_layout_t layout, int* native) {
  return guarded([&] { *required(native, "native") = behind(layout, "layout")->is_native() ? 1 : 0; });
}

cairn_status cairn_layout_local_elements(cairn_layout_t layout, int rank, int64_t leading_dimension,
                                         int64_t* elements) {
  return guarded([&] {
    *required(elements, "elements") = behind(layout, "layout")->local_elements(rank, leading_dimension);
  });
}

cairn_status cairn_layout_owner(cairn_layout_t layout, int64_t i, int64_t j, int* rank) {
  return guarded([&] { *required(rank, "rank") = behind(layout, "layout")->owner(i, j); });
}

cairn_status cairn_layout_text(cairn_layout_t layout, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(layout, "layout")->text(), buffer, size, length); });
}

cairn_status cairn_layout_equal(cairn_layout_t x, cairn_layout_t y, int* equal) {
  return guarded([&] { *required(equal, "equal") = *behind(x, "x") == *behind(y, "y") ? 1 : 0; });
}

cairn_status cairn_layout_free(cairn_layout_t* layout) { return free_handle(layout); }
}

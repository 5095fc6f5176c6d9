! The functions, constants and structs of cairn.h, under the same names. Made by tools/make_fortran.py.
!
! Handles are types of their own. Addresses of numbers, texts and structs are optional: one that is absent is NULL in C.
! Whatever has elements of any type is a c_ptr. Texts for C end in c_null_char.
module cairn_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: CAIRN_SUCCESS = 0
  integer(c_int), parameter :: CAIRN_ERROR_ARGUMENT = 1
  integer(c_int), parameter :: CAIRN_ERROR_OVERFLOW = 2
  integer(c_int), parameter :: CAIRN_ERROR_MEMORY = 3
  integer(c_int), parameter :: CAIRN_ERROR_COMM = 4
  integer(c_int), parameter :: CAIRN_ERROR_TIMEOUT = 5
  integer(c_int), parameter :: CAIRN_ERROR_IO = 6
  integer(c_int), parameter :: CAIRN_ERROR_RESULT = 7
  integer(c_int), parameter :: CAIRN_ERROR_INTERNAL = 8
  integer(c_int), parameter :: CAIRN_F32 = 0
  integer(c_int), parameter :: CAIRN_F64 = 1
  integer(c_int), parameter :: CAIRN_C32 = 2
  integer(c_int), parameter :: CAIRN_C64 = 3
  integer(c_int), parameter :: CAIRN_NO_TRANSPOSE = 0
  integer(c_int), parameter :: CAIRN_TRANSPOSE = 1
  integer(c_int), parameter :: CAIRN_ADJOINT = 2
  integer(c_int), parameter :: CAIRN_LOWER = 0
  integer(c_int), parameter :: CAIRN_UPPER = 1
  integer(c_int), parameter :: CAIRN_STORED_DIAGONAL = 0
  integer(c_int), parameter :: CAIRN_UNIT_DIAGONAL = 1
  integer(c_int), parameter :: CAIRN_LEFT = 0
  integer(c_int), parameter :: CAIRN_RIGHT = 1
  integer(c_int), parameter :: CAIRN_PIVOTING_TOURNAMENT = 0
  integer(c_int), parameter :: CAIRN_PIVOTING_NONE = 1
  integer(c_int), parameter :: CAIRN_PIVOTING_PARTIAL = 2
  integer(c_int), parameter :: CAIRN_OBJECTIVE_TIME = 0
  integer(c_int), parameter :: CAIRN_OBJECTIVE_WORDS = 1
  integer(c_int), parameter :: CAIRN_OBJECTIVE_VOLUME = 2
  integer(c_int), parameter :: CAIRN_DIMENSION_M = 0
  integer(c_int), parameter :: CAIRN_DIMENSION_N = 1
  integer(c_int), parameter :: CAIRN_DIMENSION_K = 2
  integer(c_int), parameter :: CAIRN_TWO_SIDED = 0
  integer(c_int), parameter :: CAIRN_ONE_SIDED = 1
  integer(c_int), parameter :: CAIRN_PLUS_TIMES = 0
  integer(c_int), parameter :: CAIRN_MIN_PLUS = 1
  integer(c_int), parameter :: CAIRN_MAX_PLUS = 2
  integer(c_int), parameter :: CAIRN_OR_AND = 3
  integer(c_int), parameter :: CAIRN_PLUS_PAIR = 4

  type, bind(c) :: cairn_context_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_context_t

  type, bind(c) :: cairn_layout_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_layout_t

  type, bind(c) :: cairn_matrix_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_matrix_t

  type, bind(c) :: cairn_plan_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_plan_t

  type, bind(c) :: cairn_lu_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_lu_t

  type, bind(c) :: cairn_cholesky_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_cholesky_t

  type, bind(c) :: cairn_sparse_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_sparse_t

  type, bind(c) :: cairn_pattern_t
    type(c_ptr) :: handle = c_null_ptr
  end type cairn_pattern_t

  type, bind(c) :: cairn_context_options
    integer(c_size_t) :: struct_size = 16_c_size_t
    real(c_double) :: watchdog_seconds = 0
  end type cairn_context_options

  type, bind(c) :: cairn_product
    integer(c_int64_t) :: m = 0
    integer(c_int64_t) :: n = 0
    integer(c_int64_t) :: k = 0
    integer(c_int) :: op_a = 0
    integer(c_int) :: op_b = 0
  end type cairn_product

  type, bind(c) :: cairn_machine
    real(c_double) :: alpha = 0
    real(c_double) :: beta = 0
    real(c_double) :: gamma = 0
  end type cairn_machine

  type, bind(c) :: cairn_plan_options
    integer(c_size_t) :: struct_size = 144_c_size_t
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: objective = 0
    integer(c_int) :: transport = 0
    real(c_double) :: work_limit = 0
    integer(c_int) :: grid(3) = 0
    integer(c_int) :: rounds_along = 0
    integer(c_int64_t) :: rounds = 0
    integer(c_int64_t) :: memory_bytes = 0
    integer(c_int) :: layers = 0
    integer(c_int) :: overlap = 0
    integer(c_int) :: lookahead = 0
    integer(c_int) :: candidates = 0
    type(cairn_machine) :: machine = cairn_machine()
    type(c_ptr) :: tree = c_null_ptr
    type(c_ptr) :: fast = c_null_ptr
    type(c_ptr) :: fast_entry = c_null_ptr
    real(c_double) :: max_error_growth = 0
    integer(c_int) :: scaled = 0
  end type cairn_plan_options

  type, bind(c) :: cairn_plan_numbers
    integer(c_size_t) :: struct_size = 248_c_size_t
    type(cairn_product) :: product = cairn_product()
    integer(c_int) :: type = 0
    integer(c_int) :: ranks = 0
    integer(c_int) :: idle_ranks = 0
    integer(c_int) :: grid(3) = 0
    integer(c_int) :: rounds_along = 0
    integer(c_int64_t) :: rounds = 0
    integer(c_int) :: is_placed = 0
    integer(c_int) :: stays(3) = 0
    integer(c_int) :: exact = 0
    integer(c_int) :: candidates = 0
    integer(c_int64_t) :: words_total = 0
    integer(c_int64_t) :: words_busiest = 0
    integer(c_int64_t) :: words_sent = 0
    real(c_double) :: words_mean = 0
    real(c_double) :: words_bound = 0
    real(c_double) :: ratio = 0
    integer(c_int64_t) :: messages = 0
    integer(c_int64_t) :: memory_bytes = 0
    real(c_double) :: seconds = 0
    real(c_double) :: seconds_gather_a = 0
    real(c_double) :: seconds_gather_b = 0
    real(c_double) :: seconds_gather = 0
    real(c_double) :: seconds_multiply = 0
    real(c_double) :: seconds_combine_c = 0
    real(c_double) :: work = 0
    integer(c_int) :: levels = 0
    real(c_double) :: error_bound = 0
    real(c_double) :: error_growth = 0
  end type cairn_plan_numbers

  type, bind(c) :: cairn_plan_candidate
    integer(c_size_t) :: struct_size = 88_c_size_t
    integer(c_int) :: grid(3) = 0
    integer(c_int) :: rounds_along = 0
    integer(c_int64_t) :: rounds = 0
    integer(c_int) :: stays(3) = 0
    integer(c_int) :: exact = 0
    integer(c_int64_t) :: words = 0
    real(c_double) :: seconds = 0
    real(c_double) :: work = 0
    integer(c_int64_t) :: memory_bytes = 0
    integer(c_int) :: fast_levels = 0
  end type cairn_plan_candidate

  type, bind(c) :: cairn_factor_options
    integer(c_size_t) :: struct_size = 88_c_size_t
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: objective = 0
    integer(c_int) :: pivoting = 0
    integer(c_int) :: layers = 0
    integer(c_int64_t) :: step = 0
    integer(c_int64_t) :: memory_bytes = 0
    integer(c_int) :: allow_infinities = 0
    type(cairn_machine) :: machine = cairn_machine()
    integer(c_int) :: no_norms = 0
    integer(c_int) :: back = 0
  end type cairn_factor_options

  type, bind(c) :: cairn_factor_report
    integer(c_size_t) :: struct_size = 136_c_size_t
    character(kind=c_char) :: pattern(64) = c_null_char
    integer(c_int) :: layers = 0
    integer(c_int64_t) :: step = 0
    real(c_double) :: mean_words = 0
    real(c_double) :: busiest_words = 0
    real(c_double) :: bound_words = 0
    real(c_double) :: cyclic_words = 0
    integer(c_int64_t) :: memory_bytes = 0
    real(c_double) :: seconds = 0
  end type cairn_factor_report

  type, bind(c) :: cairn_refine_options
    integer(c_size_t) :: struct_size = 24_c_size_t
    type(c_ptr) :: factoring = c_null_ptr
    integer(c_int) :: full_precision = 0
    integer(c_int) :: most_steps = 0
  end type cairn_refine_options

  type, bind(c) :: cairn_refine_report
    integer(c_size_t) :: struct_size = 32_c_size_t
    integer(c_int) :: steps = 0
    integer(c_int) :: low_precision = 0
    integer(c_int) :: fell_back = 0
    real(c_double) :: backward_error = 0
  end type cairn_refine_report

  type, bind(c) :: cairn_raw_file
    integer(c_int64_t) :: rows = 0
    integer(c_int64_t) :: columns = 0
    integer(c_int64_t) :: offset = 0
    integer(c_int) :: type = 0
    integer(c_int) :: row_major = 0
    integer(c_int) :: big_endian = 0
  end type cairn_raw_file

  type, bind(c) :: cairn_read_options
    integer(c_size_t) :: struct_size = 32_c_size_t
    type(c_ptr) :: format = c_null_ptr
    type(c_ptr) :: dataset = c_null_ptr
    type(c_ptr) :: raw = c_null_ptr
  end type cairn_read_options

  type, bind(c) :: cairn_write_options
    integer(c_size_t) :: struct_size = 32_c_size_t
    type(c_ptr) :: format = c_null_ptr
    type(c_ptr) :: dataset = c_null_ptr
    integer(c_int) :: row_major = 0
    integer(c_int) :: column_major = 0
  end type cairn_write_options

  type, bind(c) :: cairn_file_info
    integer(c_size_t) :: struct_size = 304_c_size_t
    character(kind=c_char) :: format(16) = c_null_char
    character(kind=c_char) :: dataset(256) = c_null_char
    integer(c_int64_t) :: rows = 0
    integer(c_int64_t) :: columns = 0
    integer(c_int) :: type = 0
    integer(c_int) :: row_major = 0
  end type cairn_file_info

  type, bind(c) :: cairn_block_cyclic
    integer(c_int) :: process_rows = 0
    integer(c_int) :: process_columns = 0
    integer(c_int64_t) :: mb = 0
    integer(c_int64_t) :: nb = 0
    integer(c_int) :: row_source = 0
    integer(c_int) :: column_source = 0
    integer(c_int) :: row_major = 0
  end type cairn_block_cyclic

  type, bind(c) :: cairn_rectangle
    integer(c_int64_t) :: first_row = 0
    integer(c_int64_t) :: end_row = 0
    integer(c_int64_t) :: first_column = 0
    integer(c_int64_t) :: end_column = 0
    integer(c_int64_t) :: offset = 0
    integer(c_int64_t) :: leading_dimension = 0
    integer(c_int) :: owner = 0
  end type cairn_rectangle

  type, bind(c) :: cairn_multiply_options
    integer(c_size_t) :: struct_size = 32_c_size_t
    type(c_ptr) :: planning = c_null_ptr
    type(cairn_plan_t) :: plan = cairn_plan_t()
    integer(c_int) :: verify = 0
    integer(c_int) :: threads = 0
  end type cairn_multiply_options

  type, bind(c) :: cairn_moved
    integer(c_int64_t) :: words_sent = 0
    integer(c_int64_t) :: words_received = 0
    integer(c_int64_t) :: messages_sent = 0
    integer(c_int64_t) :: messages_received = 0
  end type cairn_moved

  type, bind(c) :: cairn_verification
    integer(c_size_t) :: struct_size = 48_c_size_t
    integer(c_int) :: passed = 0
    integer(c_int64_t) :: row = 0
    real(c_double) :: residual = 0
    real(c_double) :: tolerance = 0
    integer(c_int64_t) :: unchecked_rows = 0
  end type cairn_verification

  type, bind(c) :: cairn_multiply_report
    integer(c_size_t) :: struct_size = 96_c_size_t
    type(cairn_moved) :: gathers_and_combines = cairn_moved()
    type(cairn_moved) :: redistribution = cairn_moved()
    integer(c_int) :: verified = 0
    real(c_double) :: residual = 0
    real(c_double) :: tolerance = 0
  end type cairn_multiply_report

  type, bind(c) :: cairn_spgemm_options
    integer(c_size_t) :: struct_size = 48_c_size_t
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: semiring = 0
    integer(c_int) :: layers = 0
    integer(c_int) :: least_time = 0
    integer(c_int) :: verify = 0
    integer(c_int) :: threads = 0
    integer(c_int64_t) :: memory_bytes = 0
  end type cairn_spgemm_options

  type, bind(c) :: cairn_spgemm_report
    integer(c_size_t) :: struct_size = 208_c_size_t
    character(kind=c_char) :: method(128) = c_null_char
    integer(c_int64_t) :: bytes_sent = 0
    integer(c_int64_t) :: bytes_received = 0
    integer(c_int64_t) :: messages_sent = 0
    integer(c_int64_t) :: messages_received = 0
    integer(c_int64_t) :: bytes_around = 0
    integer(c_int64_t) :: entries_received = 0
    real(c_double) :: expected_bytes = 0
    real(c_double) :: bound_entries = 0
    integer(c_int64_t) :: voxels = 0
  end type cairn_spgemm_report

  type, bind(c) :: cairn_symmetric_options
    integer(c_size_t) :: struct_size = 64_c_size_t
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: objective = 0
    integer(c_int) :: parts = 0
    integer(c_int) :: threads = 0
    integer(c_int64_t) :: memory_bytes = 0
    type(cairn_machine) :: machine = cairn_machine()
  end type cairn_symmetric_options

  type, bind(c) :: cairn_symmetric_report
    integer(c_size_t) :: struct_size = 168_c_size_t
    character(kind=c_char) :: pattern(64) = c_null_char
    integer(c_int) :: parts = 0
    integer(c_int) :: in_place = 0
    integer(c_int) :: counted = 0
    real(c_double) :: mean_words = 0
    real(c_double) :: busiest_words = 0
    real(c_double) :: bound_words = 0
    real(c_double) :: work = 0
    integer(c_int64_t) :: memory_bytes = 0
    real(c_double) :: seconds = 0
    type(cairn_moved) :: moved = cairn_moved()
  end type cairn_symmetric_report

  interface
    type(c_ptr) function cairn_last_error() bind(c)
      import
    end function cairn_last_error

    type(c_ptr) function cairn_status_name(status) bind(c)
      import
      integer(c_int), value :: status
    end function cairn_status_name

    type(c_ptr) function cairn_version() bind(c)
      import
    end function cairn_version

    integer(c_int) function cairn_version_number() bind(c)
      import
    end function cairn_version_number

    integer(c_int) function cairn_context_create_f(comm, options, context) bind(c)
      import
      integer(c_int), value :: comm
      type(cairn_context_options), intent(in), optional :: options
      type(cairn_context_t), intent(inout), optional :: context
    end function cairn_context_create_f

    integer(c_int) function cairn_context_rank(context, rank, size) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), intent(out), optional :: rank
      integer(c_int), intent(out), optional :: size
    end function cairn_context_rank

    integer(c_int) function cairn_context_trim(context) bind(c)
      import
      type(cairn_context_t), value :: context
    end function cairn_context_trim

    integer(c_int) function cairn_context_free(context) bind(c)
      import
      type(cairn_context_t), intent(inout), optional :: context
    end function cairn_context_free

    integer(c_int) function cairn_load_machine(file, machine) bind(c)
      import
      character(kind=c_char), intent(in), optional :: file(*)
      type(cairn_machine), intent(inout), optional :: machine
    end function cairn_load_machine

    integer(c_int) function cairn_measure_machine(context, seconds, kept_in, machine) bind(c)
      import
      type(cairn_context_t), value :: context
      real(c_double), value :: seconds
      character(kind=c_char), intent(in), optional :: kept_in(*)
      type(cairn_machine), intent(inout), optional :: machine
    end function cairn_measure_machine

    integer(c_int) function cairn_plan_multiply(product, type, ranks, options, plan) bind(c)
      import
      type(cairn_product), intent(in), optional :: product
      integer(c_int), value :: type
      integer(c_int), value :: ranks
      type(cairn_plan_options), intent(in), optional :: options
      type(cairn_plan_t), intent(inout), optional :: plan
    end function cairn_plan_multiply

    integer(c_int) function cairn_plan_multiply_placed(product, type, a, b, c, ranks, options, plan) bind(c)
      import
      type(cairn_product), intent(in), optional :: product
      integer(c_int), value :: type
      type(cairn_layout_t), value :: a
      type(cairn_layout_t), value :: b
      type(cairn_layout_t), value :: c
      integer(c_int), value :: ranks
      type(cairn_plan_options), intent(in), optional :: options
      type(cairn_plan_t), intent(inout), optional :: plan
    end function cairn_plan_multiply_placed

    integer(c_int) function cairn_plan_get_numbers(plan, numbers) bind(c)
      import
      type(cairn_plan_t), value :: plan
      type(cairn_plan_numbers), intent(inout), optional :: numbers
    end function cairn_plan_get_numbers

    integer(c_int) function cairn_plan_describe(plan, buffer, size, length) bind(c)
      import
      type(cairn_plan_t), value :: plan
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_plan_describe

    integer(c_int) function cairn_plan_bricks(plan, buffer, size, length) bind(c)
      import
      type(cairn_plan_t), value :: plan
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_plan_bricks

    integer(c_int) function cairn_plan_steps(plan, buffer, size, length) bind(c)
      import
      type(cairn_plan_t), value :: plan
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_plan_steps

    integer(c_int) function cairn_plan_explain(plan, buffer, size, length) bind(c)
      import
      type(cairn_plan_t), value :: plan
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_plan_explain

    integer(c_int) function cairn_plan_get_candidate(plan, index, candidate) bind(c)
      import
      type(cairn_plan_t), value :: plan
      integer(c_int), value :: index
      type(cairn_plan_candidate), intent(inout), optional :: candidate
    end function cairn_plan_get_candidate

    integer(c_int) function cairn_plan_candidate_why(plan, index, buffer, size, length) bind(c)
      import
      type(cairn_plan_t), value :: plan
      integer(c_int), value :: index
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_plan_candidate_why

    integer(c_int) function cairn_plan_layout(plan, matrix, layout) bind(c)
      import
      type(cairn_plan_t), value :: plan
      character(kind=c_char), value :: matrix
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_plan_layout

    integer(c_int) function cairn_plan_free(plan) bind(c)
      import
      type(cairn_plan_t), intent(inout), optional :: plan
    end function cairn_plan_free

    type(c_ptr) function cairn_algorithm_name(index) bind(c)
      import
      integer(c_int), value :: index
    end function cairn_algorithm_name

    type(c_ptr) function cairn_fast_algorithm_name(index) bind(c)
      import
      integer(c_int), value :: index
    end function cairn_fast_algorithm_name

    integer(c_int) function cairn_plan_lu(rows, columns, type, ranks, options, report) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: type
      integer(c_int), value :: ranks
      type(cairn_factor_options), intent(in), optional :: options
      type(cairn_factor_report), intent(inout), optional :: report
    end function cairn_plan_lu

    integer(c_int) function cairn_plan_cholesky(n, type, ranks, options, report) bind(c)
      import
      integer(c_int64_t), value :: n
      integer(c_int), value :: type
      integer(c_int), value :: ranks
      type(cairn_factor_options), intent(in), optional :: options
      type(cairn_factor_report), intent(inout), optional :: report
    end function cairn_plan_cholesky

    integer(c_int) function cairn_lu_factor(a, options, lu) bind(c)
      import
      type(cairn_matrix_t), value :: a
      type(cairn_factor_options), intent(in), optional :: options
      type(cairn_lu_t), intent(inout), optional :: lu
    end function cairn_lu_factor

    integer(c_int) function cairn_lu_shape(lu, rows, columns) bind(c)
      import
      type(cairn_lu_t), value :: lu
      integer(c_int64_t), intent(out), optional :: rows
      integer(c_int64_t), intent(out), optional :: columns
    end function cairn_lu_shape

    integer(c_int) function cairn_lu_info(lu, info) bind(c)
      import
      type(cairn_lu_t), value :: lu
      integer(c_int64_t), intent(out), optional :: info
    end function cairn_lu_info

    integer(c_int) function cairn_lu_permutation(lu, permutation) bind(c)
      import
      type(cairn_lu_t), value :: lu
      integer(c_int64_t), intent(out), optional :: permutation(*)
    end function cairn_lu_permutation

    integer(c_int) function cairn_lu_swaps(lu, swaps) bind(c)
      import
      type(cairn_lu_t), value :: lu
      integer(c_int64_t), intent(out), optional :: swaps(*)
    end function cairn_lu_swaps

    integer(c_int) function cairn_lu_growth(lu, growth) bind(c)
      import
      type(cairn_lu_t), value :: lu
      real(c_double), intent(out), optional :: growth
    end function cairn_lu_growth

    integer(c_int) function cairn_lu_solve(lu, op, b) bind(c)
      import
      type(cairn_lu_t), value :: lu
      integer(c_int), value :: op
      type(cairn_matrix_t), value :: b
    end function cairn_lu_solve

    integer(c_int) function cairn_lu_copy_lower(lu, l) bind(c)
      import
      type(cairn_lu_t), value :: lu
      type(cairn_matrix_t), value :: l
    end function cairn_lu_copy_lower

    integer(c_int) function cairn_lu_copy_upper(lu, u) bind(c)
      import
      type(cairn_lu_t), value :: lu
      type(cairn_matrix_t), value :: u
    end function cairn_lu_copy_upper

    integer(c_int) function cairn_lu_copy_factors(lu, f) bind(c)
      import
      type(cairn_lu_t), value :: lu
      type(cairn_matrix_t), value :: f
    end function cairn_lu_copy_factors

    integer(c_int) function cairn_lu_log_determinant(lu, sign, log) bind(c)
      import
      type(cairn_lu_t), value :: lu
      type(c_ptr), value :: sign
      real(c_double), intent(out), optional :: log
    end function cairn_lu_log_determinant

    integer(c_int) function cairn_lu_reciprocal_condition(lu, condition) bind(c)
      import
      type(cairn_lu_t), value :: lu
      real(c_double), intent(out), optional :: condition
    end function cairn_lu_reciprocal_condition

    integer(c_int) function cairn_lu_report(lu, report) bind(c)
      import
      type(cairn_lu_t), value :: lu
      type(cairn_factor_report), intent(inout), optional :: report
    end function cairn_lu_report

    integer(c_int) function cairn_lu_free(lu) bind(c)
      import
      type(cairn_lu_t), intent(inout), optional :: lu
    end function cairn_lu_free

    integer(c_int) function cairn_cholesky_factor(a, triangle, options, cholesky) bind(c)
      import
      type(cairn_matrix_t), value :: a
      integer(c_int), value :: triangle
      type(cairn_factor_options), intent(in), optional :: options
      type(cairn_cholesky_t), intent(inout), optional :: cholesky
    end function cairn_cholesky_factor

    integer(c_int) function cairn_cholesky_order(cholesky, n) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      integer(c_int64_t), intent(out), optional :: n
    end function cairn_cholesky_order

    integer(c_int) function cairn_cholesky_info(cholesky, info) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      integer(c_int64_t), intent(out), optional :: info
    end function cairn_cholesky_info

    integer(c_int) function cairn_cholesky_solve(cholesky, b) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      type(cairn_matrix_t), value :: b
    end function cairn_cholesky_solve

    integer(c_int) function cairn_cholesky_copy_factor(cholesky, f) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      type(cairn_matrix_t), value :: f
    end function cairn_cholesky_copy_factor

    integer(c_int) function cairn_cholesky_copy_triangle(cholesky, f) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      type(cairn_matrix_t), value :: f
    end function cairn_cholesky_copy_triangle

    integer(c_int) function cairn_cholesky_log_determinant(cholesky, log) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      real(c_double), intent(out), optional :: log
    end function cairn_cholesky_log_determinant

    integer(c_int) function cairn_cholesky_reciprocal_condition(cholesky, condition) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      real(c_double), intent(out), optional :: condition
    end function cairn_cholesky_reciprocal_condition

    integer(c_int) function cairn_cholesky_report(cholesky, report) bind(c)
      import
      type(cairn_cholesky_t), value :: cholesky
      type(cairn_factor_report), intent(inout), optional :: report
    end function cairn_cholesky_report

    integer(c_int) function cairn_cholesky_free(cholesky) bind(c)
      import
      type(cairn_cholesky_t), intent(inout), optional :: cholesky
    end function cairn_cholesky_free

    integer(c_int) function cairn_solve(a, b, options) bind(c)
      import
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(cairn_factor_options), intent(in), optional :: options
    end function cairn_solve

    integer(c_int) function cairn_solve_triangular(side, triangle, op, diagonal, alpha, t, b) bind(c)
      import
      integer(c_int), value :: side
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      integer(c_int), value :: diagonal
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: t
      type(cairn_matrix_t), value :: b
    end function cairn_solve_triangular

    integer(c_int) function cairn_solve_lu_factors(factors, permutation, op, b) bind(c)
      import
      type(cairn_matrix_t), value :: factors
      integer(c_int64_t), intent(in), optional :: permutation(*)
      integer(c_int), value :: op
      type(cairn_matrix_t), value :: b
    end function cairn_solve_lu_factors

    integer(c_int) function cairn_solve_cholesky_factor(triangle, factor, b) bind(c)
      import
      integer(c_int), value :: triangle
      type(cairn_matrix_t), value :: factor
      type(cairn_matrix_t), value :: b
    end function cairn_solve_cholesky_factor

    integer(c_int) function cairn_inverse(a, result, options) bind(c)
      import
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: result
      type(cairn_factor_options), intent(in), optional :: options
    end function cairn_inverse

    integer(c_int) function cairn_solve_refined(a, b, options, report) bind(c)
      import
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(cairn_refine_options), intent(in), optional :: options
      type(cairn_refine_report), intent(inout), optional :: report
    end function cairn_solve_refined

    integer(c_int) function cairn_probe_file(context, path, options, info) bind(c)
      import
      type(cairn_context_t), value :: context
      character(kind=c_char), intent(in), optional :: path(*)
      type(cairn_read_options), intent(in), optional :: options
      type(cairn_file_info), intent(inout), optional :: info
    end function cairn_probe_file

    integer(c_int) function cairn_read_file(path, matrix, options) bind(c)
      import
      character(kind=c_char), intent(in), optional :: path(*)
      type(cairn_matrix_t), value :: matrix
      type(cairn_read_options), intent(in), optional :: options
    end function cairn_read_file

    integer(c_int) function cairn_write_file(path, matrix, options) bind(c)
      import
      character(kind=c_char), intent(in), optional :: path(*)
      type(cairn_matrix_t), value :: matrix
      type(cairn_write_options), intent(in), optional :: options
    end function cairn_write_file

    integer(c_int) function cairn_read_sparse_file(context, type, path, layout, sparse) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), value :: type
      character(kind=c_char), intent(in), optional :: path(*)
      character(kind=c_char), intent(in), optional :: layout(*)
      type(cairn_sparse_t), intent(inout), optional :: sparse
    end function cairn_read_sparse_file

    integer(c_int) function cairn_write_sparse_file(path, sparse) bind(c)
      import
      character(kind=c_char), intent(in), optional :: path(*)
      type(cairn_sparse_t), value :: sparse
    end function cairn_write_sparse_file

    integer(c_int) function cairn_layout_block_cyclic(rows, columns, how, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      type(cairn_block_cyclic), intent(in), optional :: how
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_block_cyclic

    integer(c_int) function cairn_layout_elemental(rows, columns, d0, d1, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: d0
      integer(c_int), value :: d1
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_elemental

    integer(c_int) function cairn_layout_blocked(rows, columns, process_rows, process_columns, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: process_rows
      integer(c_int), value :: process_columns
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_blocked

    integer(c_int) function cairn_layout_row_blocks(rows, columns, ranks, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: ranks
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_row_blocks

    integer(c_int) function cairn_layout_column_blocks(rows, columns, ranks, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: ranks
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_column_blocks

    integer(c_int) function cairn_layout_on_one_rank(rows, columns, rank, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: rank
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_on_one_rank

    integer(c_int) function cairn_layout_replicated(rows, columns, ranks, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int), value :: ranks
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_replicated

    integer(c_int) function cairn_layout_of_rectangles(rows, columns, count, rectangles, row_major, layout) bind(c)
      import
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int64_t), value :: count
      type(cairn_rectangle), intent(in), optional :: rectangles(*)
      integer(c_int), value :: row_major
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_of_rectangles

    integer(c_int) function cairn_layout_scalapack(descriptor, process_rows, process_columns, row_major_grid, &
        layout) bind(c)
      import
      integer(c_int), intent(in), optional :: descriptor(*)
      integer(c_int), value :: process_rows
      integer(c_int), value :: process_columns
      integer(c_int), value :: row_major_grid
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_scalapack

    integer(c_int) function cairn_layout_parse(text, rows, columns, layout) bind(c)
      import
      character(kind=c_char), intent(in), optional :: text(*)
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_parse

    integer(c_int) function cairn_layout_sub_matrix(whole, i, j, rows, columns, part) bind(c)
      import
      type(cairn_layout_t), value :: whole
      integer(c_int64_t), value :: i
      integer(c_int64_t), value :: j
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      type(cairn_layout_t), intent(inout), optional :: part
    end function cairn_layout_sub_matrix

    integer(c_int) function cairn_layout_shape(layout, rows, columns) bind(c)
      import
      type(cairn_layout_t), value :: layout
      integer(c_int64_t), intent(out), optional :: rows
      integer(c_int64_t), intent(out), optional :: columns
    end function cairn_layout_shape

    integer(c_int) function cairn_layout_is_native(layout, native) bind(c)
      import
      type(cairn_layout_t), value :: layout
      integer(c_int), intent(out), optional :: native
    end function cairn_layout_is_native

    integer(c_int) function cairn_layout_local_elements(layout, rank, leading_dimension, elements) bind(c)
      import
      type(cairn_layout_t), value :: layout
      integer(c_int), value :: rank
      integer(c_int64_t), value :: leading_dimension
      integer(c_int64_t), intent(out), optional :: elements
    end function cairn_layout_local_elements

    integer(c_int) function cairn_layout_owner(layout, i, j, rank) bind(c)
      import
      type(cairn_layout_t), value :: layout
      integer(c_int64_t), value :: i
      integer(c_int64_t), value :: j
      integer(c_int), intent(out), optional :: rank
    end function cairn_layout_owner

    integer(c_int) function cairn_layout_text(layout, buffer, size, length) bind(c)
      import
      type(cairn_layout_t), value :: layout
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_layout_text

    integer(c_int) function cairn_layout_equal(x, y, equal) bind(c)
      import
      type(cairn_layout_t), value :: x
      type(cairn_layout_t), value :: y
      integer(c_int), intent(out), optional :: equal
    end function cairn_layout_equal

    integer(c_int) function cairn_layout_free(layout) bind(c)
      import
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_layout_free

    integer(c_int) function cairn_matrix_create(context, type, layout, matrix) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), value :: type
      type(cairn_layout_t), value :: layout
      type(cairn_matrix_t), intent(inout), optional :: matrix
    end function cairn_matrix_create

    integer(c_int) function cairn_matrix_wrap(context, type, layout, memory, elements, leading_dimension, matrix) &
        bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), value :: type
      type(cairn_layout_t), value :: layout
      type(c_ptr), value :: memory
      integer(c_int64_t), value :: elements
      integer(c_int64_t), value :: leading_dimension
      type(cairn_matrix_t), intent(inout), optional :: matrix
    end function cairn_matrix_wrap

    integer(c_int) function cairn_matrix_shape(matrix, rows, columns) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      integer(c_int64_t), intent(out), optional :: rows
      integer(c_int64_t), intent(out), optional :: columns
    end function cairn_matrix_shape

    integer(c_int) function cairn_matrix_type(matrix, type) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      integer(c_int), intent(out), optional :: type
    end function cairn_matrix_type

    integer(c_int) function cairn_matrix_layout(matrix, layout) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      type(cairn_layout_t), intent(inout), optional :: layout
    end function cairn_matrix_layout

    integer(c_int) function cairn_matrix_context(matrix, context) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      type(cairn_context_t), intent(inout), optional :: context
    end function cairn_matrix_context

    integer(c_int) function cairn_matrix_local(matrix, memory, elements, leading_dimension) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      type(c_ptr), intent(out), optional :: memory
      integer(c_int64_t), intent(out), optional :: elements
      integer(c_int64_t), intent(out), optional :: leading_dimension
    end function cairn_matrix_local

    integer(c_int) function cairn_matrix_for_each(matrix, f, user) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      type(c_funptr), value :: f
      type(c_ptr), value :: user
    end function cairn_matrix_for_each

    integer(c_int) function cairn_matrix_for_each_strip(matrix, f, user) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      type(c_funptr), value :: f
      type(c_ptr), value :: user
    end function cairn_matrix_for_each_strip

    integer(c_int) function cairn_matrix_gather(matrix, root, whole) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      integer(c_int), value :: root
      type(c_ptr), value :: whole
    end function cairn_matrix_gather

    integer(c_int) function cairn_matrix_at(matrix, i, j, value) bind(c)
      import
      type(cairn_matrix_t), value :: matrix
      integer(c_int64_t), value :: i
      integer(c_int64_t), value :: j
      type(c_ptr), value :: value
    end function cairn_matrix_at

    integer(c_int) function cairn_matrix_free(matrix) bind(c)
      import
      type(cairn_matrix_t), intent(inout), optional :: matrix
    end function cairn_matrix_free

    integer(c_int) function cairn_redistribute(alpha, op, x, beta, y) bind(c)
      import
      type(c_ptr), value :: alpha
      integer(c_int), value :: op
      type(cairn_matrix_t), value :: x
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: y
    end function cairn_redistribute

    integer(c_int) function cairn_make_product(context, type, product, options, a, b, c) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), value :: type
      type(cairn_product), intent(in), optional :: product
      type(cairn_plan_options), intent(in), optional :: options
      type(cairn_matrix_t), intent(inout), optional :: a
      type(cairn_matrix_t), intent(inout), optional :: b
      type(cairn_matrix_t), intent(inout), optional :: c
    end function cairn_make_product

    integer(c_int) function cairn_multiply(alpha, op_a, a, op_b, b, beta, c, options, report, plan) bind(c)
      import
      type(c_ptr), value :: alpha
      integer(c_int), value :: op_a
      type(cairn_matrix_t), value :: a
      integer(c_int), value :: op_b
      type(cairn_matrix_t), value :: b
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_multiply_options), intent(in), optional :: options
      type(cairn_multiply_report), intent(inout), optional :: report
      type(cairn_plan_t), intent(inout), optional :: plan
    end function cairn_multiply

    integer(c_int) function cairn_multiply_memory(op_a, a, op_b, b, c, options, bytes) bind(c)
      import
      integer(c_int), value :: op_a
      type(cairn_matrix_t), value :: a
      integer(c_int), value :: op_b
      type(cairn_matrix_t), value :: b
      type(cairn_matrix_t), value :: c
      type(cairn_multiply_options), intent(in), optional :: options
      integer(c_int64_t), intent(out), optional :: bytes
    end function cairn_multiply_memory

    integer(c_int) function cairn_verify(alpha, op_a, a, op_b, b, c, rounds, verification) bind(c)
      import
      type(c_ptr), value :: alpha
      integer(c_int), value :: op_a
      type(cairn_matrix_t), value :: a
      integer(c_int), value :: op_b
      type(cairn_matrix_t), value :: b
      type(cairn_matrix_t), value :: c
      integer(c_int), value :: rounds
      type(cairn_verification), intent(inout), optional :: verification
    end function cairn_verify

    integer(c_int) function cairn_matvec(alpha, op, a, x, beta, y) bind(c)
      import
      type(c_ptr), value :: alpha
      integer(c_int), value :: op
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: x
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: y
    end function cairn_matvec

    integer(c_int) function cairn_rank1(alpha, y, op, x, a) bind(c)
      import
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: y
      integer(c_int), value :: op
      type(cairn_matrix_t), value :: x
      type(cairn_matrix_t), value :: a
    end function cairn_rank1

    integer(c_int) function cairn_sparse_create(context, type, rows, columns, count, entry_rows, entry_columns, &
        values, layout, sparse) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int), value :: type
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: columns
      integer(c_int64_t), value :: count
      integer(c_int64_t), intent(in), optional :: entry_rows(*)
      integer(c_int64_t), intent(in), optional :: entry_columns(*)
      type(c_ptr), value :: values
      character(kind=c_char), intent(in), optional :: layout(*)
      type(cairn_sparse_t), intent(inout), optional :: sparse
    end function cairn_sparse_create

    integer(c_int) function cairn_sparse_shape(sparse, rows, columns) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(out), optional :: rows
      integer(c_int64_t), intent(out), optional :: columns
    end function cairn_sparse_shape

    integer(c_int) function cairn_sparse_type(sparse, type) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int), intent(out), optional :: type
    end function cairn_sparse_type

    integer(c_int) function cairn_sparse_layout(sparse, buffer, size, length) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_sparse_layout

    integer(c_int) function cairn_sparse_local_entries(sparse, count) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(out), optional :: count
    end function cairn_sparse_local_entries

    integer(c_int) function cairn_sparse_entries(sparse, count) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(out), optional :: count
    end function cairn_sparse_entries

    integer(c_int) function cairn_sparse_local(sparse, entry_rows, entry_columns, values) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(out), optional :: entry_rows(*)
      integer(c_int64_t), intent(out), optional :: entry_columns(*)
      type(c_ptr), value :: values
    end function cairn_sparse_local

    integer(c_int) function cairn_sparse_gather(sparse, root, entry_rows, entry_columns, values) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int), value :: root
      integer(c_int64_t), intent(out), optional :: entry_rows(*)
      integer(c_int64_t), intent(out), optional :: entry_columns(*)
      type(c_ptr), value :: values
    end function cairn_sparse_gather

    integer(c_int) function cairn_sparse_in_layout(sparse, layout, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      character(kind=c_char), intent(in), optional :: layout(*)
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_in_layout

    integer(c_int) function cairn_sparse_transposed(sparse, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_transposed

    integer(c_int) function cairn_sparse_explain(sparse, buffer, size, length) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      character(kind=c_char), intent(out), optional :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out), optional :: length
    end function cairn_sparse_explain

    integer(c_int) function cairn_sparse_free(sparse) bind(c)
      import
      type(cairn_sparse_t), intent(inout), optional :: sparse
    end function cairn_sparse_free

    integer(c_int) function cairn_sparse_adjoint(sparse, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_adjoint

    integer(c_int) function cairn_sparse_prune(sparse, threshold, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      real(c_double), value :: threshold
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_prune

    integer(c_int) function cairn_sparse_extract(sparse, rows, row_count, columns, column_count, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(in), optional :: rows
      integer(c_int64_t), value :: row_count
      integer(c_int64_t), intent(in), optional :: columns
      integer(c_int64_t), value :: column_count
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_extract

    integer(c_int) function cairn_sparse_permuted(sparse, new_row, new_column, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), intent(in), optional :: new_row
      integer(c_int64_t), intent(in), optional :: new_column
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_permuted

    integer(c_int) function cairn_sparse_shuffled(sparse, seed, back, result) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int64_t), value :: seed
      integer(c_int), value :: back
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_shuffled

    integer(c_int) function cairn_sparse_add(a, b, semiring, result) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(cairn_sparse_t), value :: b
      integer(c_int), value :: semiring
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_add

    integer(c_int) function cairn_sparse_multiply_elements(a, b, semiring, result) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(cairn_sparse_t), value :: b
      integer(c_int), value :: semiring
      type(cairn_sparse_t), intent(inout), optional :: result
    end function cairn_sparse_multiply_elements

    integer(c_int) function cairn_sparse_sums(sparse, of_columns, semiring, sums) bind(c)
      import
      type(cairn_sparse_t), value :: sparse
      integer(c_int), value :: of_columns
      integer(c_int), value :: semiring
      type(c_ptr), value :: sums
    end function cairn_sparse_sums

    integer(c_int) function cairn_pattern_create(type, pattern) bind(c)
      import
      integer(c_int), value :: type
      type(cairn_pattern_t), intent(inout), optional :: pattern
    end function cairn_pattern_create

    integer(c_int) function cairn_pattern_known(pattern, known) bind(c)
      import
      type(cairn_pattern_t), value :: pattern
      integer(c_int), intent(out), optional :: known
    end function cairn_pattern_known

    integer(c_int) function cairn_pattern_free(pattern) bind(c)
      import
      type(cairn_pattern_t), intent(inout), optional :: pattern
    end function cairn_pattern_free

    integer(c_int) function cairn_spgemm(a, b, options, pattern, c, report) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(cairn_sparse_t), value :: b
      type(cairn_spgemm_options), intent(in), optional :: options
      type(cairn_pattern_t), value :: pattern
      type(cairn_sparse_t), intent(inout), optional :: c
      type(cairn_spgemm_report), intent(inout), optional :: report
    end function cairn_spgemm

    integer(c_int) function cairn_spgemm_masked(a, b, mask, complement, options, c, report) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(cairn_sparse_t), value :: b
      type(cairn_sparse_t), value :: mask
      integer(c_int), value :: complement
      type(cairn_spgemm_options), intent(in), optional :: options
      type(cairn_sparse_t), intent(inout), optional :: c
      type(cairn_spgemm_report), intent(inout), optional :: report
    end function cairn_spgemm_masked

    integer(c_int) function cairn_galerkin(a, p, options, c, report) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(cairn_sparse_t), value :: p
      type(cairn_spgemm_options), intent(in), optional :: options
      type(cairn_sparse_t), intent(inout), optional :: c
      type(cairn_spgemm_report), intent(inout), optional :: report
    end function cairn_galerkin

    integer(c_int) function cairn_power(a, exponent, options, c, report) bind(c)
      import
      type(cairn_sparse_t), value :: a
      integer(c_int64_t), value :: exponent
      type(cairn_spgemm_options), intent(in), optional :: options
      type(cairn_sparse_t), intent(inout), optional :: c
      type(cairn_spgemm_report), intent(inout), optional :: report
    end function cairn_power

    integer(c_int) function cairn_dense_rows(context, length, first, count) bind(c)
      import
      type(cairn_context_t), value :: context
      integer(c_int64_t), value :: length
      integer(c_int64_t), intent(out), optional :: first
      integer(c_int64_t), intent(out), optional :: count
    end function cairn_dense_rows

    integer(c_int) function cairn_spmm(a, x, width, semiring, y) bind(c)
      import
      type(cairn_sparse_t), value :: a
      type(c_ptr), value :: x
      integer(c_int64_t), value :: width
      integer(c_int), value :: semiring
      type(c_ptr), value :: y
    end function cairn_spmm

    integer(c_int) function cairn_rank_k_update(triangle, op, alpha, a, beta, c, options, report) bind(c)
      import
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_rank_k_update

    integer(c_int) function cairn_hermitian_rank_k_update(triangle, op, alpha, a, beta, c, options, report) bind(c)
      import
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      real(c_double), value :: alpha
      type(cairn_matrix_t), value :: a
      real(c_double), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_hermitian_rank_k_update

    integer(c_int) function cairn_rank_2k_update(triangle, op, alpha, a, b, beta, c, options, report) bind(c)
      import
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_rank_2k_update

    integer(c_int) function cairn_hermitian_rank_2k_update(triangle, op, alpha, a, b, beta, c, options, report) &
        bind(c)
      import
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      real(c_double), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_hermitian_rank_2k_update

    integer(c_int) function cairn_multiply_symmetric(side, triangle, alpha, a, b, beta, c, options, report) bind(c)
      import
      integer(c_int), value :: side
      integer(c_int), value :: triangle
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_multiply_symmetric

    integer(c_int) function cairn_multiply_hermitian(side, triangle, alpha, a, b, beta, c, options, report) bind(c)
      import
      integer(c_int), value :: side
      integer(c_int), value :: triangle
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(c_ptr), value :: beta
      type(cairn_matrix_t), value :: c
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_multiply_hermitian

    integer(c_int) function cairn_multiply_triangular(side, triangle, op, diagonal, alpha, a, b, options, report) &
        bind(c)
      import
      integer(c_int), value :: side
      integer(c_int), value :: triangle
      integer(c_int), value :: op
      integer(c_int), value :: diagonal
      type(c_ptr), value :: alpha
      type(cairn_matrix_t), value :: a
      type(cairn_matrix_t), value :: b
      type(cairn_symmetric_options), intent(in), optional :: options
      type(cairn_symmetric_report), intent(inout), optional :: report
    end function cairn_multiply_triangular

  end interface
end module cairn_c

! The module `cairn`: that its structs are those of C, both kinds of communicators, arrays of all types, errors, plans,
! factors, sparse matrices, callbacks. mpirun -n 4 fortran_module
module callbacks
  use cairn
  implicit none
contains
  subroutine fill(i, j, at, user) bind(c)
    integer(c_int64_t), value :: i, j
    type(c_ptr), value :: at, user
    real(real64), pointer :: x
    call c_f_pointer(at, x)
    x = real(100 * i + j, real64)
    if (c_associated(user)) x = -1
  end subroutine fill
end module callbacks

program module_test
  use mpi_f08
  use cairn
  use callbacks, only: fill
  implicit none
  integer :: rank, ranks, failures, total
  type(cairn_context_t) :: context

  failures = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call ok(cairn_context_create(MPI_COMM_WORLD, context), "context")
  call test_structs()
  call test_communicators()
  call test_errors()
  call test_types()
  call test_plan()
  call test_factors()
  call test_sparse()
  call ok(cairn_context_free(context), "free")
  call MPI_Allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print "(a, i0, a)", merge("ok: ", "bad:", total == 0), total, " failed"
  call MPI_Finalize()
  if (total /= 0) error stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print "(a, i0, 2a)", "[rank ", rank, "] ", what
  end subroutine expect

  subroutine ok(status, what)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: what
    call expect(status == CAIRN_SUCCESS, what // ": " // cairn_error_text())
  end subroutine ok

  ! struct_size is what the compiler says, so the members are where C has them.
  subroutine test_structs()
    type(cairn_context_options) :: a
    type(cairn_plan_options) :: b
    type(cairn_plan_numbers) :: c
    type(cairn_plan_candidate) :: d
    type(cairn_multiply_options) :: e
    type(cairn_multiply_report) :: f
    type(cairn_factor_options) :: g
    type(cairn_factor_report) :: h
    type(cairn_spgemm_options) :: i
    type(cairn_spgemm_report) :: j
    type(cairn_refine_options) :: k
    type(cairn_refine_report) :: l
    type(cairn_verification) :: m
    call expect(a%struct_size == c_sizeof(a) .and. b%struct_size == c_sizeof(b) .and. c%struct_size == c_sizeof(c) .and. &
                d%struct_size == c_sizeof(d) .and. e%struct_size == c_sizeof(e) .and. f%struct_size == c_sizeof(f) .and. &
                g%struct_size == c_sizeof(g) .and. h%struct_size == c_sizeof(h) .and. i%struct_size == c_sizeof(i) .and. &
                j%struct_size == c_sizeof(j) .and. k%struct_size == c_sizeof(k) .and. l%struct_size == c_sizeof(l) .and. &
                m%struct_size == c_sizeof(m), "struct_size")
  end subroutine test_structs

  subroutine test_communicators()
    type(cairn_context_t) :: other
    type(cairn_context_options) :: options
    integer(c_int) :: mine, size_of_it
    options%watchdog_seconds = 60
    call ok(cairn_context_create(MPI_COMM_WORLD%MPI_VAL, other, options), "integer communicator")
    call ok(cairn_context_rank(other, mine, size_of_it), "rank")
    call expect(mine == rank .and. size_of_it == ranks, "rank and size")
    call ok(cairn_context_free(other), "free")
    call expect(.not. c_associated(other%handle), "freed handle is null")
  end subroutine test_communicators

  subroutine test_errors()
    type(cairn_layout_t) :: layout
    call expect(cairn_layout_parse(cairn_c_text("no such layout"), 3_int64, 3_int64, layout) == CAIRN_ERROR_ARGUMENT, "parse")
    call expect(index(cairn_error_text(), "no") > 0, "text of the error")
    call expect(cairn_layout_free(layout) == CAIRN_SUCCESS, "null may be freed")
    call expect(cairn_layout_row_blocks(3_int64, 3_int64, ranks) == CAIRN_ERROR_ARGUMENT, "absent result")
  end subroutine test_errors

  subroutine test_types()
    type(cairn_layout_t) :: layout
    type(cairn_matrix_t) :: s, d, c, z, e
    real(real32), allocatable, target :: ss(:)
    real(real64), allocatable, target :: dd(:), ee(:, :)
    complex(real32), allocatable, target :: cc(:)
    complex(real64), allocatable, target :: zz(:)
    complex(real64), target :: alpha, element
    real(real64), pointer :: seen(:)
    complex(real64), pointer :: wrong(:)
    integer(int64) :: elements
    integer(int64), parameter :: n = 12
    call ok(cairn_layout_column_blocks(n, n, ranks, layout), "layout")
    call expect(index(cairn_text(layout), "columns") > 0, "text of a layout")
    call ok(cairn_layout_local_elements(layout, rank, 0_int64, elements), "elements")
    allocate (ss(elements), dd(elements), cc(elements), zz(elements), ee(n, elements / n))
    ss = 1; dd = 2; cc = (3, 1); zz = (4, 2); ee = 7
    call ok(cairn_wrap(context, layout, ss, s), "float")
    call ok(cairn_wrap(context, layout, dd, d), "double")
    call ok(cairn_wrap(context, layout, cc, c), "complex float")
    call ok(cairn_wrap(context, layout, zz, z), "complex double")
    call ok(cairn_wrap(context, layout, ee, e), "two-dimensional array")
    call ok(cairn_local(d, seen), "local")
    call expect(size(seen) == elements .and. all_are(seen, 2.0_real64), "local elements")
    call expect(cairn_local(d, wrong) == CAIRN_ERROR_ARGUMENT, "pointer of another type")
    call ok(cairn_multiply(c_null_ptr, CAIRN_NO_TRANSPOSE, d, CAIRN_NO_TRANSPOSE, d, c_null_ptr, e), "multiply")
    call expect(all_are(reshape(ee, [elements]), 4.0_real64 * n), "every element is n 2 2")
    alpha = (0, 1)
    call ok(cairn_redistribute(c_loc(alpha), CAIRN_ADJOINT, z, c_null_ptr, z) - CAIRN_ERROR_ARGUMENT, "X is Y: refused")
    call ok(cairn_matrix_at(z, 3_int64, 4_int64, c_loc(element)), "at")
    call expect(element == (4, 2), "element")
    call expect(cairn_multiply(c_null_ptr, 0, s, 0, d, c_null_ptr, e) == CAIRN_ERROR_ARGUMENT, "types differ")
    call ok(cairn_matrix_for_each(d, c_funloc(fill), c_null_ptr), "for_each")
    call ok(cairn_matrix_at(d, 3_int64, 4_int64, c_loc(element)), "at")
    call expect(real(element, real64) == 304, "filled by a callback")
    call ok(cairn_matrix_free(s), "free")
    call ok(cairn_matrix_free(d), "free")
    call ok(cairn_matrix_free(c), "free")
    call ok(cairn_matrix_free(z), "free")
    call ok(cairn_matrix_free(e), "free")
    call ok(cairn_layout_free(layout), "free")
  end subroutine test_types

  pure logical function all_are(values, expected)
    real(real64), intent(in) :: values(:), expected
    all_are = .not. any(abs(values - expected) > 0)
  end function all_are

  subroutine test_plan()
    type(cairn_plan_options), target :: planning
    type(cairn_plan_numbers) :: numbers
    type(cairn_plan_t) :: plan
    type(cairn_product) :: product
    character(kind=c_char), target :: algorithm(7)
    algorithm = cairn_c_text("cannon")
    planning%algorithm = c_loc(algorithm)
    product = cairn_product(m=400, n=400, k=400)
    call ok(cairn_plan_multiply(product, CAIRN_F64, 16, planning, plan), "plan")
    call ok(cairn_plan_get_numbers(plan, numbers), "numbers")
    call expect(all(numbers%grid == [4, 4, 1]) .and. numbers%ranks == 16 .and. numbers%product%k == 400, "grid")
    call expect(numbers%words_busiest == 60000 .and. numbers%seconds > 0, "words")  ! 2 (400/4)^2 3
    call expect(index(cairn_text(plan), "[4, 4, 1]") > 0, "explain")
    call ok(cairn_plan_free(plan), "free")
    planning%objective = 99
    call expect(cairn_plan_multiply(product, CAIRN_F64, 16, planning, plan) == CAIRN_ERROR_ARGUMENT, "objective")
  end subroutine test_plan

  ! A = 2 I + ones: A x = b with x all ones, determinant 2^(n-1) (n + 2).
  subroutine test_factors()
    type(cairn_layout_t) :: layout, of_b
    type(cairn_matrix_t) :: a, b
    type(cairn_lu_t) :: lu
    type(cairn_cholesky_t) :: cholesky
    integer(int64), parameter :: n = 9
    integer(int64) :: permutation(n), info
    real(real64), allocatable, target :: mine(:), right(:)
    real(real64), target :: sign
    real(real64) :: log_of
    integer(int64) :: elements, i
    call ok(cairn_layout_on_one_rank(n, n, ranks - 1, layout), "layout")
    call ok(cairn_layout_on_one_rank(n, 1_int64, 0, of_b), "layout")
    call ok(cairn_layout_local_elements(layout, rank, 0_int64, elements), "elements")
    allocate (mine(elements), right(merge(n, 0_int64, rank == 0)))
    mine = 1
    do i = 1, elements, n + 1
      mine(i) = 3
    end do
    right = real(n + 2, real64)
    call ok(cairn_wrap(context, layout, mine, a), "a")
    call ok(cairn_wrap(context, of_b, right, b), "b")
    call ok(cairn_lu_factor(a, lu=lu), "lu")
    call ok(cairn_lu_info(lu, info), "info")
    call ok(cairn_lu_permutation(lu, permutation), "permutation")
    call expect(info == 0 .and. sum(permutation) == n * (n - 1) / 2, "permutation")
    call ok(cairn_lu_log_determinant(lu, c_loc(sign), log_of), "determinant")
    call expect(abs(sign * exp(log_of) - 2.0_real64**(n - 1) * (n + 2)) < 1e-9_real64, "determinant")
    call ok(cairn_lu_solve(lu, CAIRN_NO_TRANSPOSE, b), "solve")
    call expect(.not. any(abs(right - 1) > 1e-13_real64), "solution")
    call ok(cairn_cholesky_factor(a, CAIRN_LOWER, cholesky=cholesky), "cholesky")
    call ok(cairn_cholesky_log_determinant(cholesky, log_of), "determinant")
    call expect(abs(exp(log_of) - 2.0_real64**(n - 1) * (n + 2)) < 1e-9_real64, "determinant")
    call ok(cairn_lu_free(lu), "free")
    call ok(cairn_cholesky_free(cholesky), "free")
    call ok(cairn_matrix_free(a), "free")
    call ok(cairn_matrix_free(b), "free")
    call ok(cairn_layout_free(layout), "free")
    call ok(cairn_layout_free(of_b), "free")
  end subroutine test_factors

  ! A cyclic shift; its square shifts by two.
  subroutine test_sparse()
    type(cairn_sparse_t) :: a, c
    integer(int64), parameter :: n = 10
    integer(int64) :: rows(n), columns(n), count, i
    real(real64), target :: values(n), x(n), y(n)
    type(cairn_spgemm_report) :: report
    type(cairn_pattern_t) :: none
    rows = [(i, i=0, n - 1)]
    columns = [(mod(i + 1, n), i=0, n - 1)]
    values = 2
    count = merge(n, 0_int64, rank == 0)
    call ok(cairn_sparse_create(context, CAIRN_F64, n, n, count, rows, columns, c_loc(values), sparse=a), "sparse")
    call ok(cairn_spgemm(a, a, pattern=none, c=c, report=report), "spgemm")
    call ok(cairn_sparse_entries(c, count), "entries")
    call ok(cairn_sparse_gather(c, 0, rows, columns, c_loc(values)), "gather")
    call expect(count == n .and. report%method(1) /= c_null_char, "entries")
    if (rank == 0) call expect(all(columns == mod(rows + 2, n)) .and. .not. any(abs(values - 4) > 0), "A A")
    x = 1
    call ok(cairn_spmm(a, c_loc(x), 1_int64, CAIRN_PLUS_TIMES, c_loc(y)), "spmm")
    call ok(cairn_sparse_free(a), "free")
    call ok(cairn_sparse_free(c), "free")
  end subroutine test_sparse
end program module_test

! Multiplies and solves from Fortran: mpirun -n 4 ./example_from_fortran
program from_fortran
  use mpi_f08
  use cairn
  implicit none
  integer :: rank, ranks, columns, first, j
  integer(int64), parameter :: n = 200
  type(cairn_context_t) :: context
  type(cairn_layout_t) :: layout, layout_of_b
  type(cairn_matrix_t) :: a, c, x
  type(cairn_plan_t) :: plan
  real(real64), allocatable, target :: mine(:, :), result(:, :), right(:)
  real(real64) :: worst, largest

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  columns = (int(n) + ranks - 1 - rank) / ranks  ! as even as possible, as cairn_layout_column_blocks cuts them
  first = rank * (int(n) / ranks) + min(rank, mod(int(n), ranks))
  allocate (mine(n, columns), result(n, columns), right(merge(int(n), 0, rank == 0)))
  do j = 1, columns
    mine(:, j) = element_column(first + j)
  end do

  ! [multiply]
  ! This rank has some columns of A and of C, in its own arrays.
  call check(cairn_context_create(MPI_COMM_WORLD, context))
  call check(cairn_layout_column_blocks(n, n, ranks, layout))
  call check(cairn_wrap(context, layout, mine, a))
  call check(cairn_wrap(context, layout, result, c))
  call check(cairn_multiply(c_null_ptr, CAIRN_NO_TRANSPOSE, a, CAIRN_TRANSPOSE, a, c_null_ptr, c, plan=plan))
  if (rank == 0) print "(a)", cairn_text(plan)
  ! [end]
  worst = 0
  do j = 1, columns
    worst = max(worst, abs(result(first + j, j) - dot_product(element_row(first + j), element_row(first + j))))
  end do

  ! [solve]
  ! The right-hand side is whole on rank 0; it becomes the solution.
  if (rank == 0) right = row_sums()
  call check(cairn_layout_on_one_rank(n, 1_int64, 0, layout_of_b))
  call check(cairn_wrap(context, layout_of_b, right, x))
  call check(cairn_solve(a, x))
  ! [end]
  if (rank == 0) worst = max(worst, maxval(abs(right - 1)))
  call MPI_Allreduce(worst, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)

  call check(cairn_plan_free(plan))
  call check(cairn_matrix_free(a))
  call check(cairn_matrix_free(c))
  call check(cairn_matrix_free(x))
  call check(cairn_layout_free(layout))
  call check(cairn_layout_free(layout_of_b))
  call check(cairn_context_free(context))
  call MPI_Finalize()
  if (.not. largest < 1e-9_real64) error stop "wrong"

contains

  ! [check]
  ! Ends the program where a call does not succeed.
  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == CAIRN_SUCCESS) return
    print "(a)", cairn_error_text()
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine check
  ! [end]

  pure real(real64) function element(i, k)
    integer, intent(in) :: i, k
    element = cos(real(7 * i + 3 * k, real64)) + merge(9.0_real64, 0.0_real64, i == k)
  end function element

  pure function element_column(k) result(column)
    integer, intent(in) :: k
    real(real64) :: column(n)
    integer :: i
    do i = 1, int(n)
      column(i) = element(i, k)
    end do
  end function element_column

  pure function element_row(i) result(row)
    integer, intent(in) :: i
    real(real64) :: row(n)
    integer :: k
    do k = 1, int(n)
      row(k) = element(i, k)
    end do
  end function element_row

  pure function row_sums() result(sums)
    real(real64) :: sums(n)
    integer :: i
    do i = 1, int(n)
      sums(i) = sum(element_row(i))
    end do
  end function row_sums
end program from_fortran

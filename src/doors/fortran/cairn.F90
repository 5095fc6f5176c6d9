! Cairn from Fortran 2008. Everything of cairn.h is here under its own name (module cairn_c); what is added below are
! communicators as Fortran has them, arrays, and texts.
!
!   use cairn
!   status = cairn_context_create(MPI_COMM_WORLD, context)
!   status = cairn_layout_column_blocks(n, n, ranks, layout)
!   status = cairn_wrap(context, layout, array, matrix)
!   status = cairn_solve(matrix, right)
module cairn
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use cairn_c
#ifdef CAIRN_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  public

  ! Collective. status = cairn_context_create(comm, context [, options]) for a communicator of mpi_f08 or an integer.
  interface cairn_context_create
    module procedure cairn_context_create_integer
#ifdef CAIRN_MPI_F08
    module procedure cairn_context_create_f08
#endif
  end interface cairn_context_create

  ! Collective. status = cairn_wrap(context, layout, array, matrix [, leading_dimension]): a matrix over the caller's
  ! array, which must have the attribute target and outlive it.
  interface cairn_wrap
    module procedure wrap_s1, wrap_d1, wrap_c1, wrap_z1, wrap_s2, wrap_d2, wrap_c2, wrap_z2
  end interface cairn_wrap

  ! Local. status = cairn_local(matrix, pointer): this rank's memory, in the order of the layout.
  interface cairn_local
    module procedure local_s, local_d, local_c, local_z
  end interface cairn_local

  ! cairn_text(layout), cairn_text(plan): as `cairn` prints them.
  interface cairn_text
    module procedure text_of_layout, text_of_plan
  end interface cairn_text

  private :: wrap_s1, wrap_d1, wrap_c1, wrap_z1, wrap_s2, wrap_d2, wrap_c2, wrap_z2, wrap_memory
  private :: local_s, local_d, local_c, local_z, local_memory, text_of_layout, text_of_plan, to_fortran
#ifdef CAIRN_MPI_F08
  private :: MPI_Comm
#endif

  interface
    integer(c_size_t) function c_length(text) bind(c, name="strlen")
      import
      type(c_ptr), value :: text
    end function c_length
  end interface

contains

  integer(c_int) function cairn_context_create_integer(comm, context, options) result(status)
    integer, intent(in) :: comm
    type(cairn_context_t), intent(inout) :: context
    type(cairn_context_options), intent(in), optional :: options
    status = cairn_context_create_f(int(comm, c_int), options, context)
  end function cairn_context_create_integer

#ifdef CAIRN_MPI_F08
  integer(c_int) function cairn_context_create_f08(comm, context, options) result(status)
    type(MPI_Comm), intent(in) :: comm
    type(cairn_context_t), intent(inout) :: context
    type(cairn_context_options), intent(in), optional :: options
    status = cairn_context_create_f(int(comm%MPI_VAL, c_int), options, context)
  end function cairn_context_create_f08
#endif

  ! The text of the last error of this thread.
  function cairn_error_text() result(text)
    character(:), allocatable :: text
    text = to_fortran(cairn_last_error())
  end function cairn_error_text

  ! A text as C wants it.
  pure function cairn_c_text(text) result(ended)
    character(*), intent(in) :: text
    character(kind=c_char) :: ended(len(text) + 1)
    integer :: i
    do i = 1, len(text)
      ended(i) = text(i:i)
    end do
    ended(len(text) + 1) = c_null_char
  end function cairn_c_text

  function to_fortran(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(address, letters, [c_length(address)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function to_fortran

  function text_of_layout(layout) result(text)
    type(cairn_layout_t), intent(in) :: layout
    character(:), allocatable :: text
    character(kind=c_char), allocatable, target :: buffer(:)
    integer(c_size_t) :: length
    text = ""
    if (cairn_layout_text(layout, size=0_c_size_t, length=length) /= CAIRN_SUCCESS) return
    allocate (buffer(length + 1))
    if (cairn_layout_text(layout, buffer, length + 1) == CAIRN_SUCCESS) text = to_fortran(c_loc(buffer))
  end function text_of_layout

  function text_of_plan(plan) result(text)
    type(cairn_plan_t), intent(in) :: plan
    character(:), allocatable :: text
    character(kind=c_char), allocatable, target :: buffer(:)
    integer(c_size_t) :: length
    text = ""
    if (cairn_plan_explain(plan, size=0_c_size_t, length=length) /= CAIRN_SUCCESS) return
    allocate (buffer(length + 1))
    if (cairn_plan_explain(plan, buffer, length + 1) == CAIRN_SUCCESS) text = to_fortran(c_loc(buffer))
  end function text_of_plan

  integer(c_int) function wrap_memory(context, type, layout, memory, elements, matrix, leading_dimension) result(status)
    type(cairn_context_t), intent(in) :: context
    integer(c_int), intent(in) :: type
    type(cairn_layout_t), intent(in) :: layout
    type(c_ptr), intent(in) :: memory
    integer, intent(in) :: elements
    type(cairn_matrix_t), intent(inout) :: matrix
    integer(int64), intent(in), optional :: leading_dimension
    integer(c_int64_t) :: lead
    lead = 0
    if (present(leading_dimension)) lead = leading_dimension
    status = cairn_matrix_wrap(context, type, layout, memory, int(elements, c_int64_t), lead, matrix)
  end function wrap_memory

  integer(c_int) function local_memory(matrix, type, memory, elements) result(status)
    type(cairn_matrix_t), intent(in) :: matrix
    integer(c_int), intent(in) :: type
    type(c_ptr), intent(out) :: memory
    integer(c_int64_t), intent(out) :: elements
    integer(c_int) :: found
    memory = c_null_ptr
    elements = 0
    status = cairn_matrix_type(matrix, found)
    if (status /= CAIRN_SUCCESS) return
    status = CAIRN_ERROR_ARGUMENT  ! the pointer is of another type than the matrix
    if (found == type) status = cairn_matrix_local(matrix, memory, elements)
  end function local_memory

#define WRAP(name, TYPE, scalar, shape) \
  integer(c_int) function name(context, layout, array, matrix, leading_dimension) result(status) ;\
    type(cairn_context_t), intent(in) :: context ;\
    type(cairn_layout_t), intent(in) :: layout ;\
    TYPE, intent(in), contiguous, target :: array shape ;\
    type(cairn_matrix_t), intent(inout) :: matrix ;\
    integer(int64), intent(in), optional :: leading_dimension ;\
    status = wrap_memory(context, scalar, layout, c_loc(array), size(array), matrix, leading_dimension) ;\
  end function name

#define LOCAL(name, TYPE, scalar) \
  integer(c_int) function name(matrix, array) result(status) ;\
    type(cairn_matrix_t), intent(in) :: matrix ;\
    TYPE, pointer, intent(out) :: array(:) ;\
    type(c_ptr) :: memory ;\
    integer(c_int64_t) :: elements ;\
    status = local_memory(matrix, scalar, memory, elements) ;\
    call c_f_pointer(memory, array, [elements]) ;\
  end function name

  WRAP(wrap_s1, real(real32), CAIRN_F32, (:))
  WRAP(wrap_d1, real(real64), CAIRN_F64, (:))
  WRAP(wrap_c1, complex(real32), CAIRN_C32, (:))
  WRAP(wrap_z1, complex(real64), CAIRN_C64, (:))
  WRAP(wrap_s2, real(real32), CAIRN_F32, (:, :))
  WRAP(wrap_d2, real(real64), CAIRN_F64, (:, :))
  WRAP(wrap_c2, complex(real32), CAIRN_C32, (:, :))
  WRAP(wrap_z2, complex(real64), CAIRN_C64, (:, :))
  LOCAL(local_s, real(real32), CAIRN_F32)
  LOCAL(local_d, real(real64), CAIRN_F64)
  LOCAL(local_c, complex(real32), CAIRN_C32)
  LOCAL(local_z, complex(real64), CAIRN_C64)
end module cairn

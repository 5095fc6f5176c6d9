"""Dense matrices in files, written and read by plain Python."""
import ast
import struct

CODES = {"<f8": "<d", ">f8": ">d", "<f4": "<f", "<c8": "<f", "<c16": "<d"}


def npy(rows, columns, values, descr="<f8", fortran=False):
    """The bytes of a .npy file; `values` one after the other as they lie there, complex ones as two numbers."""
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({rows}, {columns}), }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + b"".join(struct.pack(CODES[descr], v) for v in values)


def numbers(matrix, fortran=False):
    """The elements of a list of rows in file order, complex ones as two numbers."""
    lines = zip(*matrix) if fortran else matrix
    flat = [x for line in lines for x in line]
    return [part for x in flat for part in ((x.real, x.imag) if isinstance(x, complex) else (x,))]


def npy_of(matrix, descr="<f8", fortran=False):
    return npy(len(matrix), len(matrix[0]), numbers(matrix, fortran), descr, fortran)


def read_npy(content):
    """(rows as lists, descr, fortran_order)"""
    length = struct.unpack("<H", content[8:10])[0]
    head = ast.literal_eval(content[10:10 + length].decode())
    rows, columns = head["shape"]
    descr, fortran = head["descr"], head["fortran_order"]
    code = CODES[descr]
    size = struct.calcsize(code)
    flat = [struct.unpack(code, content[at:at + size])[0] for at in range(10 + length, len(content), size)]
    if "c" in descr:
        flat = [complex(re, im) for re, im in zip(flat[::2], flat[1::2])]
    at = (lambda i, j: flat[i + j * rows]) if fortran else (lambda i, j: flat[i * columns + j])
    return [[at(i, j) for j in range(columns)] for i in range(rows)], descr, fortran

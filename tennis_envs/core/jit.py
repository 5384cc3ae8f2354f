"""Compiled functions whose machine code is cached on disk for exactly as long as their sources stay the same.

Numba's own cache has two traps: a function that closes over other compiled functions never hits it, and an edit in
a *called* file does not invalidate the callers. Here the key is ours: the name of the function, its signature and
the hash of every source that it can call (`core/` and the folder of its own game).

With ``NUMBA_DISABLE_JIT=1`` every function stays plain Python: the debugger's path.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import pickle
import shutil
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import caching, cgutils, types
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.serialize import dumps
from numba.extending import intrinsic
from numba.np import arrayobj

DISABLED = bool(numba.config.DISABLE_JIT)
_PACKAGE = "tennis_envs"
_CORE = Path(__file__).parent
_SECONDS_BEFORE_NOTICE = 2.0


def records(array: np.ndarray) -> np.ndarray:
    """An array of records as the loops take it: compiled, as it is; in plain Python, with fields as attributes."""
    return array.view(np.recarray) if DISABLED else array


def held(array: np.ndarray) -> Any:
    """The first record of an array as `record_of` takes it: compiled, its address, handed over more quickly than an array.

    The caller keeps the array alive.
    """
    return array[0] if DISABLED else array.ctypes.data


def record_of(dtype: np.dtype) -> Callable:
    """For compiled functions: the record of that type behind what `held` gave."""
    if DISABLED:
        return lambda record: record
    kind = numba.from_dtype(dtype)

    @intrinsic
    def record(context, address):
        def emit(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), emit

    return record


def copied(array: np.ndarray) -> np.ndarray:
    """A copy of an array of records as plain memory: many times faster than field by field."""
    return array.view(np.uint8).copy().view(array.dtype, type(array))


def njit(function: FunctionType) -> Any:
    """Compile a rules function; its machine code is cached until a source in `core/` or in its game's folder changes."""
    return compiled(function, f"{function.__module__}.{function.__qualname__}", game_folder(function))


def inlined(function: FunctionType) -> Any:
    """The same, copied into every caller: for what is short, called from one place, or takes arrays that a call would carry."""
    return compiled(function, f"{function.__module__}.{function.__qualname__}", game_folder(function), forceinline=True)


def seldom(function: FunctionType) -> Any:
    """The same, never copied into a caller: for what is long and rare, so that the code around it stays short."""
    return compiled(function, f"{function.__module__}.{function.__qualname__}", game_folder(function), _DraftingApart)


def compiled(function: FunctionType, name: str, folder: Path, drafting: type | None = None, **flags: bool) -> Any:
    """Compile `function` and cache it as `name` under the stamp of `core/` and `folder` (for loops made by a factory)."""
    if DISABLED:
        return function
    flags = {"forceinline": False, "nogil": True, "error_model": "numpy"} | flags  # no test for division by zero
    dispatcher = numba.njit(pipeline_class=_Loop, **flags)(function)
    _keep(dispatcher, _Impl, name, folder)
    draft = numba.njit(pipeline_class=drafting or _Drafting, no_cpython_wrapper=True, no_cfunc_wrapper=True, **flags)(function)
    _keep(draft, _DraftImpl, f"{name}.draft", folder)
    dispatcher.get_call_template = lambda args, kws: draft.get_call_template(*_widened(args, kws))
    dispatcher.get_overload = draft.get_overload
    return dispatcher


def _keep(dispatcher: Any, impl: type[_Impl], name: str, folder: Path) -> None:
    """Cache what `dispatcher` compiles on disk, where that is possible."""
    if _writable(_stamped(folder)):
        dispatcher._cache = _Cache(impl, dispatcher.py_func, name, folder)


def _widened(args: tuple, kws: dict) -> tuple[tuple, dict]:
    """Argument types as int64 and without literal values, so that a function is compiled once and not for every width."""
    return tuple(_wide(arg) for arg in args), {name: _wide(arg) for name, arg in kws.items()}


def _wide(kind: types.Type) -> types.Type:
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind.bitwidth < 64
    return types.int64 if narrow else kind


def game_folder(function: FunctionType) -> Path:
    """The folder whose sources decide over the cache of `function`: that of its game, or of `core/`."""
    path = Path(inspect.getfile(function)).resolve()
    parts = function.__module__.split(".")
    if path.name == "__init__.py":
        parts.append("__init__")
    if len(parts) == 1:
        return path  # a game in a single file of its own
    depth = 3 if parts[:2] == [_PACKAGE, "games"] else 2 if parts[0] == _PACKAGE else 1
    return path.parents[len(parts) - depth - 1]


@functools.cache
def _stamp(folder: Path) -> str:
    """A hash over all Python sources below `core/` and `folder` (which may be a single file)."""
    digest = hashlib.sha256()
    for root in dict.fromkeys((_CORE, folder)):
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            digest.update(str(path.relative_to(root.parent)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


class _Draft(JITCodeLibrary):
    """A function as other compiled functions take it in: typed and lowered, but not yet optimised or made machine code.

    Numba optimises and assembles every function once for itself and again in each of its callers. Here only the loops that
    Python calls are, so that a game compiles several times faster.
    """

    codegen = SimpleNamespace(set_env=lambda name, environment: None)  # nobody calls a draft from Python

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        self._ensure_finalized()
        return self.name, self._final_module.as_bitcode()

    @classmethod
    def read(cls, codegen: Any, saved: tuple[str, bytes]) -> _Draft:
        name, bitcode = saved
        draft = cls(codegen, name)
        draft._final_module = llvm.parse_bitcode(bitcode)
        draft._finalized = True
        return draft


class _DraftApart(_Draft):
    """One that LLVM keeps out of its callers."""

    def add_ir_module(self, module: Any) -> None:
        for function in module.functions:
            if not function.is_declaration:
                function.attributes.add("noinline")
                function.attributes.add("cold")
        super().add_ir_module(module)


class _Drafting(Compiler):
    """Numba's pipeline, which ends in a draft."""

    library: type[_Draft] = _Draft

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, self.library(targetctx.codegen(), "draft"), *rest)

    def compile_extra(self, function: FunctionType) -> Any:
        with _items():
            return super().compile_extra(function)


class _DraftingApart(_Drafting):
    library = _DraftApart


class _Loop(Compiler):
    """Numba's pipeline for what Python calls: no two of the arrays that are written overlap."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.state.flags.noalias = True

    def compile_extra(self, function: FunctionType) -> Any:
        with _items():
            return super().compile_extra(function)


@contextmanager
def _items() -> Iterator[None]:
    """Items of arrays as rules use them, which is quicker in every step and to compile.

    Every index is taken as it is, where Python would count a negative one from the end: rules have no such index.
    `NUMBA_BOUNDSCHECK=1` then also reports negative indices (tests/core/test_jit.py). And a record is copied as memory, where
    Numba would load and store it byte by byte.
    """
    usual = arrayobj.fix_integer_index, BaseContext.pack_value
    arrayobj.fix_integer_index, BaseContext.pack_value = _index_as_it_is, functools.partialmethod(_pack_value, usual[1])
    try:
        yield
    finally:
        arrayobj.fix_integer_index, BaseContext.pack_value = usual


def _index_as_it_is(context: Any, builder: Any, kind: types.Integer, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _pack_value(
    context: Any, usual: Callable, builder: Any, kind: types.Type, value: Any, place: Any, align: int | None = None
) -> None:
    if isinstance(kind, types.Record):
        cgutils.raw_memcpy(builder, place, value, context.get_constant(types.intp, kind.size), 1)
    else:
        usual(context, builder, kind, value, place, align)


class _Files:
    """Machine code on disk: one file for all that it depends on, whose name is a hash of it, written in one go.

    Numba's own files are an index and numbered data. The index is written first, so that whoever reads at that moment, or after
    a crash, may find the data of older sources under the name of new ones.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def _path(self, key: tuple) -> Path:
        digest = hashlib.sha256(repr((numba.__version__, sys.version_info[:2], key)).encode()).hexdigest()
        return self._folder / f"{self._name}.{digest[:32]}.nbc"

    def load(self, key: tuple) -> Any:
        try:
            saved = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        return pickle.loads(saved)

    def save(self, key: tuple, data: Any) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(key)
        partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
        try:
            partial.write_bytes(dumps(data))
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


class _Impl(caching.CompileResultCacheImpl):
    def __init__(self) -> None:
        pass  # where the files lie is for `_Files`


class _DraftImpl(_Impl):
    def rebuild(self, target_context: Any, payload: tuple) -> Any:
        codegen = target_context.codegen()
        reader = SimpleNamespace(
            typing_context=target_context.typing_context,
            get_executable=target_context.get_executable,
            codegen=lambda: SimpleNamespace(unserialize_library=functools.partial(_Draft.read, codegen)),
        )
        return super().rebuild(reader, payload)._replace(target_context=target_context)


class _Cache(caching.FunctionCache):
    """What a dispatcher asks for its machine code, and gives it to."""

    def __init__(self, impl: type[_Impl], function: FunctionType, name: str, folder: Path) -> None:
        self._name, self._py_func, self._impl = name, function, impl()
        self._stamp = _stamp(folder)
        self._cache_path = str(_stamped(folder))
        self._cache_file = _Files(Path(self._cache_path), name)
        self.enable()

    def _save_overload(self, sig: Any, data: Any) -> None:
        if not data.library.has_dynamic_globals:  # addresses of this process, which mean nothing in another
            self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return sig, codegen.magic_tuple(), self._name, self._stamp, numba.config.BOUNDSCHECK


@functools.cache
def cache_folder() -> Path:
    """Where machine code is kept: `NUMBA_CACHE_DIR` if it is set, else the user's cache folder; one folder an installation."""
    base = numba.config.CACHE_DIR or caching.AppDirs(appname="tennis_envs", appauthor=False).user_cache_dir
    place = hashlib.sha256(str(_CORE.resolve()).encode()).hexdigest()[:12]
    return Path(base) / f"tennis_envs-{place}"


@functools.cache
def _stamped(folder: Path) -> Path:
    """Where the machine code of `core/` and `folder` is kept as their sources are now."""
    return cache_folder() / f"{folder.stem}-{_stamp(folder)[:16]}"


@functools.cache
def _writable(folder: Path) -> bool:
    """Make a folder of the cache, in place of those for older sources. Where none can be made, every process compiles anew."""
    try:
        if not folder.exists():
            for older in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
                shutil.rmtree(older, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def entry(dispatcher: Any, signature: tuple, label: str) -> Callable:
    """Compile (or load) one signature and return its entry point, which skips the dispatch on argument types.

    The caller must pass exactly the types of `signature`. Says on stderr what is going on if it takes long.
    """
    if DISABLED:
        return dispatcher
    notice = threading.Timer(_SECONDS_BEFORE_NOTICE, _say_compiling, [label])
    notice.daemon = True
    notice.start()
    try:
        return dispatcher.compile(signature)
    finally:
        notice.cancel()


_said: set[str] = set()


def _say_compiling(label: str) -> None:
    if label not in _said:
        _said.add(label)
        print(f"tennis_envs: compiling {label} (once; the result is cached on disk)", file=sys.stderr)

"""Single files of projects whose packages are not installed: what they import and is not there becomes a stub."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import pathlib
import sys
import types
from typing import Any


class OfStubs(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return stub(name)


class Stub(metaclass=OfStubs):
    """Can be called, subclassed and asked for attributes and items. Whatever is of interest to an audit must not be one."""

    def __init__(self, *_: Any, **__: Any):
        pass

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __getattr__(self, name: str) -> Any:
        return stub(name)


def stub(name: str) -> Any:
    return OfStubs(name, (Stub,), {})


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of some packages: files of ours where they are named, else stubs."""

    def __init__(self, packages: set[str], values: dict[str, Any]):
        self.packages, self.values = packages, values

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.split(".")[0] in self.packages:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        return types.ModuleType(spec.name)

    def exec_module(self, module: Any) -> None:
        def attribute(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return self.values.get(f"{module.__name__}.{name}", stub(name))

        module.__getattr__ = attribute


def load(folder: pathlib.Path, names: list[str], packages: set[str], values: dict[str, Any]) -> types.ModuleType:
    """The last of the modules `names`, each loaded from its file in the folder; all others of `packages` are stubs, but for the
    values that are given by their full names."""
    before, finder = set(sys.modules), Absent(packages, values)
    sys.meta_path.insert(0, finder)
    try:
        for name in names:
            spec = importlib.util.spec_from_file_location(name, folder / (name.replace(".", "/") + ".py"))
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        return module
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before:  # nobody else is to find a stub
            if name.split(".")[0] in packages:
                del sys.modules[name]

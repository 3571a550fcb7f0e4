"""What is raised. The extension raises these classes too."""


class Error(ValueError):
    """Something that the caller can mend."""


class UsageError(Error):
    """An argument outside its domain, or an unknown name."""


class InputError(Error):
    """A file, an array or a distribution that is not what it should be."""


class VerifierError(Error):
    """The verifier, or the drafter, raised; what it raised is the `__cause__`."""


for _one in (Error, UsageError, InputError, VerifierError):
    _one.__module__ = "draftgauge"  # where they are found, and named by tracebacks

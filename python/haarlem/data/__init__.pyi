import os
from typing import Union

haarcascades: str

def find(path: Union[str, bytes, "os.PathLike[str]"]) -> str: ...
def missing(path: Union[str, bytes, "os.PathLike[str]"], error: Exception) -> str: ...

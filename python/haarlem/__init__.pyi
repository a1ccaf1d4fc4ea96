import os
from types import ModuleType
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy
from numpy.typing import NDArray

from . import cv2 as cv2
from . import data as data

__version__: str
error: Type[Exception]

CASCADE_DO_CANNY_PRUNING: int
CASCADE_SCALE_IMAGE: int
CASCADE_FIND_BIGGEST_OBJECT: int
CASCADE_DO_ROUGH_SEARCH: int

_Path = Union[str, bytes, "os.PathLike[str]"]
_Boxes = Union[NDArray[numpy.int32], Tuple[()]]
_Counts = Union[NDArray[numpy.int32], Tuple[()]]
_Weights = Union[NDArray[numpy.float64], Tuple[()]]
_Pair = Union[int, Tuple[int, int], None]

class Detection(NamedTuple):
    x: int
    y: int
    width: int
    height: int
    score: float
    neighbors: int

class Detector:
    def __init__(
        self,
        model: Union[str, "os.PathLike[str]", bytes] = ...,
        *,
        scale: Optional[float] = ...,
        min_size: _Pair = ...,
        max_size: _Pair = ...,
        min_neighbors: Optional[int] = ...,
        min_score: Optional[float] = ...,
        ungrouped: bool = ...,
        overlapping: bool = ...,
        enlarge: float = ...,
        workers: int = ...,
    ) -> None: ...
    @property
    def window(self) -> Tuple[int, int]: ...
    @property
    def calibrated(self) -> bool: ...
    def detect(self, image: Any, format: Optional[str] = ...) -> List[Detection]: ...
    def detect_arrays(
        self, image: Any, format: Optional[str] = ...
    ) -> Tuple[NDArray[numpy.int32], NDArray[numpy.float64]]: ...

class Landmarks:
    def __init__(self, model: Union[str, "os.PathLike[str]", bytes] = ...) -> None: ...
    def find(
        self,
        image: Any,
        box: Union[Detection, Sequence[int]],
        detector: Optional[Detector] = ...,
        format: Optional[str] = ...,
    ) -> NDArray[numpy.float64]: ...

class Track(NamedTuple):
    number: int
    x: int
    y: int
    width: int
    height: int
    score: float
    detection: Optional[int]
    misses: int

class Tracker:
    def __init__(
        self,
        *,
        overlap: float = ...,
        strong: float = ...,
        hits: int = ...,
        misses: int = ...,
        memory: float = ...,
        size: Tuple[int, int] = ...,
    ) -> None: ...
    def update(
        self, detections: Sequence[Detection], seconds: float, image: Any = ..., format: Optional[str] = ...
    ) -> List[Track]: ...

class CascadeClassifier:
    CASCADE_DO_CANNY_PRUNING: int
    CASCADE_SCALE_IMAGE: int
    CASCADE_FIND_BIGGEST_OBJECT: int
    CASCADE_DO_ROUGH_SEARCH: int
    def __init__(self, filename: _Path = ...) -> None: ...
    def load(self, filename: _Path) -> bool: ...
    def read(self, node: Any) -> bool: ...
    @staticmethod
    def convert(oldcascade: str, newcascade: str) -> bool: ...
    def empty(self) -> bool: ...
    def getOriginalWindowSize(self) -> Tuple[int, int]: ...
    def getFeatureType(self) -> int: ...
    def isOldFormatCascade(self) -> bool: ...
    def detectMultiScale(
        self,
        image: Any,
        scaleFactor: Optional[float] = ...,
        minNeighbors: Optional[int] = ...,
        flags: Optional[int] = ...,
        minSize: Optional[Sequence[int]] = ...,
        maxSize: Optional[Sequence[int]] = ...,
    ) -> _Boxes: ...
    def detectMultiScale2(
        self,
        image: Any,
        scaleFactor: Optional[float] = ...,
        minNeighbors: Optional[int] = ...,
        flags: Optional[int] = ...,
        minSize: Optional[Sequence[int]] = ...,
        maxSize: Optional[Sequence[int]] = ...,
    ) -> Tuple[_Boxes, _Counts]: ...
    def detectMultiScale3(
        self,
        image: Any,
        scaleFactor: Optional[float] = ...,
        minNeighbors: Optional[int] = ...,
        flags: Optional[int] = ...,
        minSize: Optional[Sequence[int]] = ...,
        maxSize: Optional[Sequence[int]] = ...,
        outputRejectLevels: Optional[bool] = ...,
    ) -> Tuple[_Boxes, _Counts, _Weights]: ...

def convert(source: _Path, target: _Path) -> None: ...
def groupRectangles(rectList: Sequence[Sequence[int]], groupThreshold: int, eps: float = ...) -> Tuple[_Boxes, _Counts]: ...
def install() -> ModuleType: ...
def models() -> List[str]: ...
def set_num_threads(n: int) -> None: ...

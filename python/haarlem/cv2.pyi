from typing import Any

from cv2 import *

from . import CASCADE_DO_CANNY_PRUNING as CASCADE_DO_CANNY_PRUNING
from . import CASCADE_DO_ROUGH_SEARCH as CASCADE_DO_ROUGH_SEARCH
from . import CASCADE_FIND_BIGGEST_OBJECT as CASCADE_FIND_BIGGEST_OBJECT
from . import CASCADE_SCALE_IMAGE as CASCADE_SCALE_IMAGE
from . import CascadeClassifier as CascadeClassifier
from . import data as data
from . import groupRectangles as groupRectangles

def __getattr__(name: str) -> Any: ...  # what cv2's own stubs do not have

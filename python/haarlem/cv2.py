"""cv2 with CascadeClassifier: the module of that name itself."""

import sys

from . import install

sys.modules[__name__] = install()

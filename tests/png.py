"""Just enough of PNG to look at a picture's colours: 8 bits a channel, not interlaced."""

import struct
import zlib
from collections import Counter

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by colour type; palettes (3) are not needed here


def chunks(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), "no PNG"
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(left, up, corner):
    estimate = left + up - corner
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return (left, up, corner)[distances.index(min(distances))]


def unfilter(kind, line, above, step):
    """Undoes a row's filter in place (PNG specification, section 9)."""
    for i, value in enumerate(line):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            value += left
        elif kind == 2:
            value += above[i]
        elif kind == 3:
            value += (left + above[i]) // 2
        elif kind == 4:
            value += paeth(left, above[i], corner)
        line[i] = value & 255


def colours(data):
    """Width, height, and how often each colour (0xRRGGBB) occurs."""
    packed = b""
    for kind, body in chunks(data):
        if kind == b"IHDR":
            width, height, depth, colour_type, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and not interlaced, "a PNG of another kind"
            step = CHANNELS[colour_type]
        elif kind == b"IDAT":
            packed += body
    raw = zlib.decompress(packed)
    stride = width * step
    above = bytearray(stride)
    seen = Counter()
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1:start + 1 + stride])
        if raw[start]:
            unfilter(raw[start], line, above, step)
        if step >= 3:
            pixels = zip(line[0::step], line[1::step], line[2::step])
        else:
            pixels = ((grey, grey, grey) for grey in line[0::step])
        seen.update(pixels)
        above = line
    return width, height, Counter({r << 16 | g << 8 | b: n for (r, g, b), n in seen.items()})

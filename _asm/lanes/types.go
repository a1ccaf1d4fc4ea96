package main

import (
	"strings"

	"haarlem/asm/layout"
)

// The offsets of the fields of a Record, a Segment, a Group and a Piece, and
// their sizes.
var (
	types layout.Layout

	_               = types.Offset("Record", "Off", 0)
	recordMul       = types.Offset("Record", "Mul", 36)
	recordThreshold = types.Offset("Record", "Threshold", 40)
	recordLeft      = types.Offset("Record", "Left", 44)
	recordRight     = types.Offset("Record", "Right", 48)
	recordSelf      = types.Offset("Record", "Self", 52)
	recordYes       = types.Offset("Record", "YesSlot", 53)
	recordNo        = types.Offset("Record", "NoSlot", 54)
	recordCount     = types.Offset("Record", "Count", 55)
	recordAux       = types.Offset("Record", "Aux", 56)
	recordSize      = types.Size("Record", 64)

	segmentFirst = types.Offset("Segment", "First", 0)
	_            = types.Offset("Segment", "N", segmentFirst+4)
	segmentOp    = types.Offset("Segment", "Op", 8)
	segmentLimit = types.Offset("Segment", "Limit", 12)
	segmentReset = types.Offset("Segment", "Reset", 16)
	segmentHold  = types.Offset("Segment", "Hold", 20)
	segmentSize  = types.Size("Segment", 32)

	groupX     = types.Offset("Group", "X", 0)
	groupI     = types.Offset("Group", "I", 4)
	groupAlive = types.Offset("Group", "Alive", 8)
	groupScore = types.Offset("Group", "Score", 12)
	groupSize  = types.Size("Group", 76)

	pieceTop    = types.Offset("Piece", "Top", 0)
	pieceBottom = types.Offset("Piece", "Bottom", 4)
	pieceMul    = types.Offset("Piece", "Mul", 8)
	pieceSize   = types.Size("Piece", 16)
)

// The offsets of the fields of a frame.
var (
	frame = types.Words("frame")

	frameTab     = frame("tab")
	frameSegment = frame("segment") // the first
	frameEnd     = frame("end")     // behind the last
	frameRecords = frame("records")
	frameTables  = frame("tables")
	frameSubsets = frame("subsets")
	framePieces  = frame("pieces")
	frameReach   = frame("reach")
	frameInv     = frame("inv")
	frameGroups  = frame("groups")
	frameLeft    = frame("left")
	frameGroup   = frame("group") // the one at hand
	frameSets    = frame("sets")  // of lanes, for trees: as many words as there are slots

	frameScaled = frameSets // with AVX2: what is in inv
)

// Those of a sweep's frame. Common code has the first five where they are in frame.
var (
	sweepFrame = types.Words("sweepFrame")

	sweepTab      = sweepFrame("tab")
	sweepSegment  = sweepFrame("segment")
	sweepEnd      = sweepFrame("end")
	sweepRecord   = sweepFrame("record") // the first segment's
	sweepTable    = sweepFrame("table")  // and its table
	sweepInv      = sweepFrame("inv")
	sweepPass     = sweepFrame("pass")
	sweepAlive    = sweepFrame("alive")
	sweepScore    = sweepFrame("score")
	sweepNext     = sweepFrame("next")     // bytes from one row of tab to the next
	sweepInvNext  = sweepFrame("invNext")  // of inv
	sweepPassNext = sweepFrame("passNext") // of pass
	sweepLeft     = sweepFrame("left")     // rows
	sweepStart    = sweepFrame("start")
	sweepMemory   = sweepFrame("memory") // for AVX2
)

// Those of a patternFrame.
var (
	patternFrame = types.Words("patternFrame")

	patternTab      = patternFrame("tab")
	patternRecord   = patternFrame("record")
	patternLeft     = patternFrame("left") // patterns to do
	patternSubsets  = patternFrame("subsets")
	patternDecision = patternFrame("decision")
	patternAlive    = patternFrame("alive") // a word of 64 bits for each row
	patternRows     = patternFrame("rows")
	patternNext     = patternFrame("next")   // bytes from one row to the next
	patternMemory   = patternFrame("memory") // from the first multiple of 64 on
	patternAt       = patternFrame("at")     // of the pattern at hand: where its answers go, in the first row's memory
	patternEnd      = patternFrame("end")    // of the memory of all rows
	patternBit      = patternFrame("bit")    // with AVX2: of the answers of the pattern at hand, in bytes
	patternChains   = patternFrame("chains") // of each pattern: the distance of rows, in their memory, and rows of cells to skip
)

func init() {
	for i, name := range shapeNames {
		types.Constant("int("+exported(name)+")", i)
	}
	for i, name := range actionNames {
		types.Constant("int("+exported(name)+")", i)
	}
	types.Constant("Width", 16)
	types.Constant("Strip", strip)
	types.Constant("Slots*Width*4", slots*slotSize)
	types.Constant("patternRows", patternCall)
	types.Constant("patternMemo", patternMemo)
}

// exported returns a constant's name in package lanes.
func exported(name string) string {
	s := ""
	for word := range strings.SplitSeq(name, "_") {
		s += strings.ToUpper(word[:1]) + word[1:]
	}
	return s
}

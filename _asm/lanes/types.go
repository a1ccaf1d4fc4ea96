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
	for _, f := range []struct {
		name string
		at   int
	}{
		{"tab", frameTab}, {"segment", frameSegment}, {"end", frameEnd}, {"records", frameRecords}, {"tables", frameTables},
		{"subsets", frameSubsets}, {"pieces", framePieces}, {"reach", frameReach}, {"inv", frameInv}, {"groups", frameGroups},
		{"left", frameLeft}, {"group", frameGroup}, {"sets", frameSets},
	} {
		types.Offset("frame", f.name, f.at)
	}
	for _, f := range []struct {
		name string
		at   int
	}{
		{"tab", sweepTab}, {"segment", sweepSegment}, {"end", sweepEnd}, {"record", sweepRecord}, {"table", sweepTable},
		{"inv", sweepInv}, {"pass", sweepPass}, {"alive", sweepAlive}, {"score", sweepScore}, {"next", sweepNext},
		{"invNext", sweepInvNext}, {"passNext", sweepPassNext}, {"left", sweepLeft}, {"start", sweepStart}, {"memory", sweepMemory},
	} {
		types.Offset("sweepFrame", f.name, f.at)
	}
}

func init() {
	for _, f := range []struct {
		name string
		at   int
	}{
		{"tab", patternTab}, {"record", patternRecord}, {"left", patternLeft}, {"subsets", patternSubsets},
		{"decision", patternDecision}, {"alive", patternAlive}, {"rows", patternRows}, {"next", patternNext},
		{"memory", patternMemory}, {"at", patternAt}, {"end", patternEnd}, {"bit", patternBit}, {"chains", patternChains},
	} {
		types.Offset("patternFrame", f.name, f.at)
	}
}

// exported returns a constant's name in package lanes.
func exported(name string) string {
	s := ""
	for word := range strings.SplitSeq(name, "_") {
		s += strings.ToUpper(word[:1]) + word[1:]
	}
	return s
}

package catalogue

import (
	"maps"
	"math/rand/v2"
	"slices"

	"haarlem/boost"
)

var ticTacToe = Set{
	Name: "tictactoe", Rows: 958, Complete: true,
	About: "Boards at the end of a game of tic-tac-toe in which x moves first; positive when x has three in a row (Aha, 1991). Found by playing every game.",
	draw:  func(int, *rand.Rand) *boost.Data { return drawTicTacToe() },
}

// Squares of a board, in the order of the levels of its columns.
const (
	blank byte = iota
	nought
	cross
)

var ticTacToeLines = [8][3]int{
	{0, 1, 2}, {3, 4, 5}, {6, 7, 8},
	{0, 3, 6}, {1, 4, 7}, {2, 5, 8},
	{0, 4, 8}, {2, 4, 6},
}

func ticTacToeWon(board *[9]byte, player byte) bool {
	for _, l := range ticTacToeLines {
		if board[l[0]] == player && board[l[1]] == player && board[l[2]] == player {
			return true
		}
	}
	return false
}

func drawTicTacToe() *boost.Data {
	ends := map[[9]byte]bool{}
	var board [9]byte
	var play func(moves int)
	play = func(moves int) {
		player, before := cross, nought
		if moves%2 == 1 {
			player, before = nought, cross
		}
		if moves == 9 || ticTacToeWon(&board, before) {
			ends[board] = true
			return
		}
		for i := range board {
			if board[i] == blank {
				board[i] = player
				play(moves + 1)
				board[i] = blank
			}
		}
	}
	play(0)

	boards := slices.SortedFunc(maps.Keys(ends), func(a, b [9]byte) int { return slices.Compare(a[:], b[:]) })

	var names []string
	var levels [][]string
	for _, row := range []string{"top", "middle", "bottom"} {
		for _, column := range []string{"left", "middle", "right"} {
			names, levels = append(names, row+"-"+column), append(levels, []string{"b", "o", "x"})
		}
	}
	t := newTable(len(boards), []string{"not won", "x won"}, names)
	t.Levels = levels
	x := make([]float64, 9)
	for _, b := range boards {
		for i, v := range b {
			x[i] = float64(v)
		}
		add(t, x, ticTacToeWon(&b, cross))
	}
	return t
}

// Package network trains the steps of a [cascade.Network] from labelled photographs
// and the candidates that come before them: windows of a cascade, or what an earlier
// step passes.
//
//	result, err := network.Train(ctx, photos, &network.Settings{Step: shape}, nil)
//	photos, err = network.Survivors(ctx, photos, &result.Step, 0)
//
// Each iteration draws a minibatch of squares: around objects, moved and scaled at
// random, and around candidates, the background's in proportion to how hard they are.
// A square is cropped as the detector does, and then mirrored, made grey, darkened
// and so on. The loss is the cross-entropy of the label and the difference of the
// box's corrections; the optimizer is Adam.
//
// In the last part of a training the network computes what it will compute in 8
// bits, to the bit, while its parameters stay floats (quantization-aware training:
// Jacob and others, Quantization and Training of Neural Networks, 2018).
//
// A training is a pure function of its photographs and settings, including the seed.
// The number of workers, the processor, and resumed interruptions change nothing.
package network

module haarlem

go 1.26

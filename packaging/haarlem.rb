class Haarlem < Formula
  desc "Train and run Viola-Jones detection cascades"
  homepage "@URL@"
  url "@URL@/haarlem-v@VERSION@-source.tar.gz"
  sha256 "@SHA256@"
  license "BSD-3-Clause"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    ldflags = "-s -w -X @MODULE@/internal/app/cli.release=v#{version}"
    %w[detect train-cascade boost].each do |program|
      system "go", "build", "-mod=vendor", *std_go_args(ldflags: ldflags, output: bin/program), "./cmd/#{program}"
      generate_completions_from_executable(bin/program, "completion")
    end
    pkgshare.install "samples"
  end

  test do
    assert_match "11 faces", shell_output("#{bin}/detect #{pkgshare}/samples/group.png")
    assert_match "v#{version}", shell_output("#{bin}/train-cascade -version")
  end
end

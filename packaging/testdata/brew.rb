# A stand-in for Homebrew that knows what our formula uses: it installs into a
# folder and runs the formula's test.
#
#   ruby brew.rb haarlem.rb FOLDER     in the unpacked source
require "fileutils"
require "open3"
require "pathname"

formula, cellar = ARGV
CELLAR = Pathname(cellar)

class Formula
  FIELDS = {}
  %i[desc homepage url sha256 license depends_on].each do |field|
    define_singleton_method(field) { |value| FIELDS[field] = value }
  end
  def self.test(&block) = FIELDS[:test] = block

  def bin = CELLAR / "bin"
  def pkgshare = Share.new(CELLAR / "share/haarlem")
  def version = FIELDS[:url][/-v(\d+\.\d+\.\d+)/, 1]
  def std_go_args(ldflags:, output:) = ["-trimpath", "-o=#{output}", "-ldflags=#{ldflags}"]

  def system(*command, **options)
    Kernel.system(*command.map(&:to_s), **options) or abort "failed: #{command.join(" ")}"
  end

  def generate_completions_from_executable(program, *arguments)
    %w[bash zsh fish].each { |shell| system program, *arguments, shell, out: File::NULL }
  end

  def shell_output(command)
    out, status = Open3.capture2(command)
    status.success? or abort "failed: #{command}"
    out
  end

  def assert_match(want, got)
    got.include?(want) or abort "want #{want}, got #{got}"
  end
end

class Share
  def initialize(path) = @path = path
  def to_s = @path.to_s
  def /(name) = @path / name

  def install(name)
    FileUtils.mkdir_p @path
    FileUtils.cp_r name, @path
  end
end

load formula
%i[desc homepage url sha256 license].each { |f| Formula::FIELDS[f] or abort "the formula has no #{f}" }
Formula::FIELDS[:desc].size <= 80 or abort "desc is longer than Homebrew allows"
made = Haarlem.new
made.install
made.instance_eval(&Formula::FIELDS[:test])
puts "the formula installs, and its test passes"

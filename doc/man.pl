#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# man.pl HESCA SRCDIR OUTPUT: manual pages, from what the program prints for
# --help, from its table of parameters, and from the stable headers.
use strict;
use warnings;

my ($hesca, $srcdir, $output) = @ARGV;
my $version = (split ' ', `$hesca --version`)[1];

sub quote {
    my ($text) = @_;
    $text =~ s/\\/\\e/g;
    $text =~ s/-/\\-/g;
    $text =~ s/^([.'])/\\&$1/mg;
    return $text;
}

sub page {
    my ($name, $section, $brief, @parts) = @_;
    my $file = "$output/$name.$section";
    open my $f, '>', $file or die "$file: $!\n";
    print $f ".TH ", uc $name, " $section \"\" \"hesca $version\" HESCA\n",
        ".SH NAME\n", quote("$name"), " \\- ", quote($brief), "\n";
    while (my ($title, $text) = splice @parts, 0, 2) {
        print $f ".SH $title\n.nf\n", quote($text), ".fi\n";
    }
    close $f or die "$file: $!\n";
}

# ------------------------------------------------ commands
# The usage is what comes before the first line that does not continue it.
sub split_help {
    my ($text) = @_;
    my @lines = split /^/, $text;
    my @usage = shift @lines;
    push @usage, shift @lines while @lines && $lines[0] =~ /^ {7}/;
    $usage[0] =~ s/^Usage: /       /;
    s/^ {7}// for @usage;
    shift @lines while @lines && $lines[0] eq "\n";
    return join('', @usage), join('', @lines);
}

my $main = `$hesca --help`;
my %brief = $main =~ /^  (\w+) {2,}(\S.*)$/mg;
my $also = join ', ', map { "hesca-$_(1)" } sort keys %brief;
my ($usage, $text) = split_help($main);
page('hesca', 1, 'redistribution and computation on unequal hosts, for ' .
    'ScaLAPACK programs', SYNOPSIS => $usage, DESCRIPTION => $text,
    'SEE ALSO' => "$also, hesca-parameters(7), hesca-redist(3)\n");
for my $command (sort keys %brief) {
    ($usage, $text) = split_help(scalar `$hesca $command --help`);
    page("hesca-$command", 1, $brief{$command}, SYNOPSIS => $usage,
        DESCRIPTION => $text, 'SEE ALSO' =>
        "hesca(1), hesca-parameters(7)\n");
}

# ------------------------------------------------ parameters

sub fold {
    my ($text, $indent) = @_;
    my ($folded, $line) = ('', $indent);
    for my $word (split ' ', $text) {
        if (length("$line $word") > 76) {
            $folded .= "$line\n";
            $line = $indent;
        }
        $line .= ($line eq $indent ? '' : ' ') . $word;
    }
    return "$folded$line\n";
}

delete @ENV{grep { /^HESCA_/ } keys %ENV};
my $parameters = '';
for (split /^/, `$hesca info --json`) {
    my ($name, $type, $default, $help) =
        /"name": "(.*?)", "type": "(.*?)", "default": "(.*?)", .*"help": "(.*?)", "set"/
        or next;
    $type =~ s/\|/ | /g if length $type > 60;
    $parameters .= "$name\n" . fold("$type" .
        ($default ne '' ? "; default: $default" : ''), '    ') .
        fold($help, '    ') . "\n";
}
page('hesca-parameters', 7, 'environment variables of HESCA',
    DESCRIPTION => "All processes use the values of process 0.  hesca info " .
    "prints those in force.\n\n$parameters", 'SEE ALSO' => "hesca(1)\n");

# ------------------------------------------------ functions

sub declarations {
    my ($header) = @_;
    open my $f, '<', "$srcdir/include/hesca/$header" or die "$header: $!\n";
    my $text = join '', <$f>;
    my $found = '';
    while ($text =~ m{/\*\*((?:(?!\*/).)*)\*/\s*HESCA_API\s+([^;]*;)}sg) {
        my ($comment, $declaration) = ($1, $2);
        $comment =~ s/^[ \t]*\*? ?//mg;
        $comment =~ s/\\param *(\[[^\]]*\])? */  /g;
        $comment =~ s/\\return */Returns /g;
        $comment =~ s/^/    /mg;
        $comment =~ s/\s+$//;
        $declaration =~ s/\s+/ /g;
        $found .= fold($declaration, '') . "$comment\n\n";
    }
    return $found;
}

page('hesca-redist', 3, 'plans and redistributions of matrices over MPI',
    SYNOPSIS => "#include <hesca.h>\n\ncc ... `pkg-config --cflags --libs " .
    "hesca`\n", map({ (uc $_, declarations("$_.h")) }
    qw(redist layout scalapack status)), 'SEE ALSO' => "hesca(1)\n");

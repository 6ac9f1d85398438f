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

my $docs = "Files doc/*.md: in PREFIX/share/doc/hesca/doc by default; terms " .
    "and papers are in\ndoc/README.md\n";
my $main = `$hesca --help`;
my %brief = $main =~ /^  (\w+) {2,}(\S.*)$/mg;
my $also = join ', ', map { "hesca-$_(1)" } sort keys %brief;
my ($usage, $text) = split_help($main);
my $environment = "Variables HESCA_* are parameters of the library, described " .
    "in\nhesca-parameters(7); \"hesca info\" prints them.\n";
page('hesca', 1, 'faster redistribution for ScaLAPACK programs, and ' .
    'computation on hosts of unequal speed', SYNOPSIS => $usage,
    DESCRIPTION => $text, ENVIRONMENT => $environment,
    FILES => "$docs" .
    "The library: `pkg-config --variable=preload hesca-scalapack`\n",
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
    DESCRIPTION => fold("Rank 0 of each communicator reads these variables, " .
    "and all its processes use its values; except HESCA_DISABLE=all (or " .
    "wait) and HESCA_LOG, which each process reads itself.  hesca info " .
    "prints the values in force.", '') . "\n$parameters", FILES => $docs,
    'SEE ALSO' => "hesca(1)\n");

# ------------------------------------------------ functions

my @functions;

# The text of a comment: without asterisks, Doxygen's commands and sources.
sub plain {
    my ($comment, $indent) = @_;
    $comment =~ s/^[ \t]*\*? ?//mg;
    $comment =~ s/^\\file.*\n//;
    $comment =~ s/^ *Source: .*//ms;
    $comment =~ s/\\param *(\[[^\]]*\])? */  /g;
    $comment =~ s/\\return */Returns /g;
    $comment =~ s/^/$indent/mg;
    $comment =~ s/\s+$//;
    return "$comment\n\n";
}

# What a header says of itself, its types and its functions.
sub declarations {
    my ($header) = @_;
    open my $f, '<', "$srcdir/include/hesca/$header" or die "$header: $!\n";
    my $text = join '', <$f>;
    my $comment = '/\*\*((?:(?!\*/).)*)\*/';
    $text =~ s{/\*\* \\cond \*/.*?/\*\* \\endcond \*/}{}s;
    $text =~ s{^(typedef [^;\{]*;) */\*\*< *(.*?) *\*/}{/** $2 */\n$1}mg;
    my $found = $text =~ m{/\*\*( *\\file(?:(?!\*/).)*)\*/}s ? plain($1, '') : '';
    while ($text =~ m{$comment\s*(HESCA_API\s+[^;]*;|typedef\s+[^;\{]*;|
            typedef\s+\w+\s*\{.*?^\}\s*\w+;|\#ifdef.*?\#endif)}sgmx) {
        my ($about, $declaration) = ($1, $2);
        next if $declaration =~ /^#/ && $declaration !~ /typedef/;
        if ($declaration =~ s/^HESCA_API\s+//) {
            $declaration =~ s/^#if.*?^#endif$//msg;
            $declaration =~ s/\s+/ /g;
            $declaration =~ s/\( /(/;
            push @functions, $declaration =~ /(hesca_\w+)\(/;
            $found .= fold($declaration, '') . plain($about, '    ');
        } else {
            $declaration =~ s{/\*\*< }{/* }g;
            $found .= "$declaration\n" . plain($about, '    ');
        }
    }
    return $found;
}

my @sections = map { (uc $_, declarations("$_.h")) }
    qw(redist layout scalapack status);
open my $api, '<', "$srcdir/doc/api.md" or die "doc/api.md: $!\n";
my ($example) = join('', <$api>) =~ /^## A redistribution\n\n(.*?)\n\n\S/ms
    or die "doc/api.md: no example\n";
$example =~ s/^ {4}//mg;
page('hesca-redist', 3, 'plans and redistributions of matrices over MPI',
    SYNOPSIS => "#include <hesca.h>\n\ncc ... `pkg-config --cflags --libs " .
    "hesca`\n", @sections, EXAMPLE => "$example\n",
    'SEE ALSO' => "hesca(1), hesca-parameters(7)\n");
page('hmpi', 3, 'groups of the processes with which a modelled algorithm ' .
    'takes least time',
    SYNOPSIS => "#include <hmpi.h>\n\ncc ... `pkg-config --cflags --libs " .
    "hmpi`\n", DESCRIPTION => declarations('../hmpi.h'),
    'SEE ALSO' => "hesca(1), hesca-model(1), hesca-run(1)\n");
for my $function (@functions) {
    my $file = "$output/$function.3";
    open my $f, '>', $file or die "$file: $!\n";
    print $f ".so man3/hesca-redist.3\n";
    close $f or die "$file: $!\n";
}

#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# generate.pl [--ilp64] SOURCE OUTPUT HEADER...
#
# Makes the Fortran modules from the public headers.  Each template
# SOURCE/fortran/MODULE.f90.in becomes OUTPUT/MODULE.f90.  OUTPUT/comm.c has,
# for each function that takes an MPI_Comm, one with _f behind its name that
# takes a Fortran communicator.  HEADERs are names below SOURCE, include/...
# --ilp64: the macro HESCA_ILP64 is defined.
#
# In a template these lines stand for what is generated:
#     @headers NAME...   (no output) the headers whose contents the module has
#     @declarations      constants, types and interfaces
#     @procedures        functions that take or return strings
#     @public MODULE...  all names of other modules, public here too
# @headers and @public may occur several times.
#
# How C becomes Fortran:
#     int, int64_t, size_t, double ...  integer(c_int) ... by value
#     enum                   constants, and integer(c_int) for the type
#     struct with members    type, bind(C), all members initialized
#     struct without them    type(c_ptr), value; ** is type(c_ptr), intent(out)
#     const T *              intent(in) :: x(*); of a struct: a scalar
#     T *                    intent(inout) :: x
#     const void *, void *   type(*) :: x(*), any type and rank
#     function pointer       type(c_funptr), value, and an abstract interface
#     const char *           character(*), also as a result
#     MPI_Comm               integer(c_int), value
# The tables below have the exceptions.  A header that no template names, a
# declaration that is not understood and two names that differ only in case
# are errors.
use strict;
use warnings;

# ------------------------------------------------ exceptions

# Fortran names, where C has another name that differs only in case: functions
# and constants, whole or with a prefix.
my %renamed = (
    hesca_gemm        => 'hesca_dense_gemm',
    hesca_geqrf       => 'hesca_dense_geqrf',
    hesca_getrf       => 'hesca_dense_getrf',
    hesca_getri       => 'hesca_dense_getri',
    hesca_getrs       => 'hesca_dense_getrs',
    hesca_herk        => 'hesca_dense_herk',
    hesca_ormqr       => 'hesca_dense_ormqr',
    hesca_potrf       => 'hesca_dense_potrf',
    hesca_potri       => 'hesca_dense_potri',
    hesca_potrs       => 'hesca_dense_potrs',
    hesca_syrk        => 'hesca_dense_syrk',
    hesca_trsm        => 'hesca_dense_trsm',
    HESCA_BUILD_NAIVE => 'HESCA_BUILD_NAIVE_POINTS',
);
my %enum_prefix = (    # of all constants of an enum
    hesca_tiling_kind   => ['HESCA_TILING_', 'HESCA_KIND_'],
    hesca_cut_objective => ['HESCA_CUT_',    'HESCA_OBJECTIVE_'],
);

# Structs that programs get from HESCA, and only hand back.
my %handle = map { $_ => 1 } qw(hesca_broadcast_algorithm hesca_heuristic);

# The entries of the following are ARGUMENT, FUNCTION.ARGUMENT, or
# -FUNCTION.ARGUMENT for what ARGUMENT does not mean.

# What may be NULL in C, and left out in Fortran.
my %optional = map { $_ => 1 } qw(
    adjwgt changed ci cj how hwgt late mlimits metric moved nwgt options
    ordered psizes ranks ready report speed speeds tcol trow vwgt weight
    hesca_alltoallv.info hesca_bcast.info hesca_multicast.info
    hesca_redistribute.info hesca_grid_place.info
    hesca_gblock_tune.forecast hesca_place_grid.forecast
    hesca_place_grid_by_speed.forecast hesca_place_shape.forecast
    hesca_place_counts.job hesca_place_shape.process
    hesca_events_make_dense.bytes hesca_timetable_run.seconds
    Partition_unordered_set.w Partition_ordered_set.w
    Partition_matrix_2d.c Partition_matrix_1d_dp.c
    Partition_matrix_1d_iterative.c Partition_matrix_1d_refining.c
    -hesca_build_gbbp.options -hesca_build_naive.options
    -hesca_speed_merge.weight
    -User_defined_metric.speeds -Get_lower_bound.speeds -DP_function.speeds
    -Iterative_function.trow -Iterative_function.tcol
    -Refining_function.trow -Refining_function.tcol
    -Partition_matrix_1d_refining.trow -Partition_matrix_1d_refining.tcol
    -Get_trow_tcol.trow -Get_trow_tcol.tcol
);

# Arrays, of those that are not const or of structs.
my %array = map { $_ => 1 } qw(
    relative_performances ci cj count ert h ipiv knot late list np process tcol trow vp w
    Partition_matrix_1d_dp.c Partition_matrix_1d_iterative.c
    Partition_matrix_1d_refining.c
    hesca_speed_create_monotone.point
    hesca_Cblacs_gridmap.map
);

# void * that is a pointer to Fortran, too; and void * to a scalar.
my %pointer = map { $_ => 1 } qw(data state what hesca_caller_set.name);
my %scalar  = map { $_ => 1 } qw(alpha beta);

# Functions with strings that stay as they are in C: hesca_text() stands in
# for hesca_error_text(); the name that hesca_caller_set() is given must stay.
my %raw = map { $_ => 1 } qw(hesca_error_text hesca_caller_set);

# Modules of another library, which a procedure here must not need.
my %raw_module = (hesca_scalapack => 1, hmpi => 1);

# Functions that Fortran has no interface for: those with "...", and one whose
# result is a C communicator.
my %c_only = map { $_ => 1 } qw(
    HMPI_Get_comm HMPI_Pack_input_parameters HMPI_Pack_model_parameters
    HMPI_Printf
);

# Functions whose procedure is in the template.
my %by_hand = map { $_ => 1 } qw(
    hesca_grid_auto hesca_machine_format hesca_machine_set_hosts
    hesca_params_finding
);

# Functions that are logical in Fortran.
my %logical = map { $_ => 1 } qw(hesca_params_disabled hesca_routine_find);

# What members are initialized with, if not 0.
my %initial = ('hesca_matrix.lld' => 1, 'hesca_job.nb' => 64);

# ------------------------------------------------ names

my %kind = (
    int             => 'integer(c_int)',
    int64_t         => 'integer(c_int64_t)',
    uint64_t        => 'integer(c_int64_t)',
    size_t          => 'integer(c_size_t)',
    float           => 'real(c_float)',
    double          => 'real(c_double)',
    char            => 'character(kind=c_char)',
    'unsigned char' => 'integer(c_signed_char)',
    'long long'     => 'integer(c_long_long)',
    MPI_Comm        => 'integer(c_int)',
    hesca_int       => 'integer(hesca_int)',
);
my (%enum, %opaque, %struct, %callback);    # names of types in C
my %constant;                               # values of enumerators
my (%header, %module);                      # what is in them
my ($ilp64, $in);

sub fail { die "generate.pl: @_\n" }

# Whether a table has an argument of a function.
sub has {
    my ($table, $function, $name) = @_;
    return 0 if $table->{"-$function.$name"};
    return $table->{$name} || $table->{"$function.$name"};
}

sub fortran_name {
    my ($name, $enum) = @_;
    my $prefix = $enum_prefix{ $enum || '' };
    $name =~ s/^$prefix->[0]/$prefix->[1]/ if $prefix;
    return $renamed{$name} || $name;
}

# ------------------------------------------------ reading headers

# The text of a header without comments and directives, its numeric macros,
# and with macros that declare functions expanded.
sub preprocess {
    my ($name) = @_;
    open my $file, '<', $name or fail "$name: $!";
    my $text = do { local $/; <$file> };
    close $file;
    $text =~ s{/\*.*?\*/}{ }gs;
    $text =~ s{//.*}{}g;
    $text =~ s/\\\n/ /g;
    my (@active, %macro, @number);
    my $out = '';
    for my $line (split /\n/, $text) {
        if ($line =~ /^\s*#\s*if(n?def|)\s+(.*?)\s*$/) {
            push @active,
                $1 eq 'ndef'            ? 1
              : $2 eq '__cplusplus'     ? 0
              : $2 eq 'HESCA_ILP64'     ? $ilp64
              : $2 =~ /^defined\(__GNUC__\)$/ ? 1
              :   fail "$name: $line";
        } elsif ($line =~ /^\s*#\s*else/) {
            $active[-1] = !$active[-1];
        } elsif ($line =~ /^\s*#\s*endif/) {
            pop @active;
        } elsif (grep { !$_ } @active) {
            next;
        } elsif ($line =~ /^\s*#\s*define\s+(\w+)\(([^)]*)\)\s+(.*HESCA_API.*)/) {
            $macro{$1} = { arguments => [split /\s*,\s*/, $2], text => $3 };
        } elsif ($line =~ /^\s*#\s*define\s+(\w+)\s+([-+.\deE]+)\s*$/) {
            push @number, [$1, $2];
        } elsif ($line =~ /^(\w+)\((.*)\)\s*$/ && $macro{$1}) {
            my ($body, @given) = ($macro{$1}{text}, split /\s*,\s*/, $2);
            for my $argument (@{ $macro{$1}{arguments} }) {
                my $value = shift @given;
                $body =~ s/(?:\#\#)?\b$argument\b(?:\#\#)?/$value/g
                    if $body =~ /\#\#$argument\#\#/;
                $body =~ s/\b$argument\b/$value/g;
            }
            $out .= "$body\n";
        } elsif ($line !~ /^\s*#/) {
            $out .= "$line\n";
        }
    }
    return ($out, @number);
}

# The statements of a file, in one line each, without the bodies of functions.
sub statements {
    my ($text) = @_;
    my ($depth, $statement, @all) = (0, '');
    for my $token ($text =~ /[{};]|[^{};]+/g) {
        $statement .= $token;
        $depth++ if $token eq '{';
        $depth-- if $token eq '}';
        next if $depth || $token !~ /[};]/;
        next if $token eq '}' && $statement !~ /^\s*static/;
        $statement =~ s/\s+/ /g;
        $statement =~ s/^ | ?;$//g;
        push @all, $statement if $statement !~ /^static|^$/;
        $statement = '';
    }
    return @all;
}

# TYPE *NAME[COUNT] taken apart.  A declaration may begin with one before it in
# the same list, which has its type.
sub declaration {
    my ($text, $before) = @_;
    return { funptr => 1, name => $1 } if $text =~ /\( ?\* ?(\w+) ?\) ?\(/;
    my %d;
    $d{count} = $1 if $text =~ s/ ?\[ ?(\w*) ?\]$//;
    $d{name} = $1 if $text =~ s/(\w+) ?$//;
    if ($before && $text =~ /^[ *]*$/) {
        @d{qw(base const)} = @{$before}{qw(base const)};
    } else {
        my ($base) = $text =~ /^ ?([^*]*)/;
        $d{const} = $base =~ s/\bconst\b//;
        $base =~ s/^ +| +$//g;
        $d{base} = $base;
    }
    $d{stars}   = () = $text =~ /\*/g;
    $d{between} = $text =~ /\* ?const ?\*/;
    fail "'$text'" if !defined $d{name} || $d{base} eq '';
    return \%d;
}

sub parameters {
    my ($text) = @_;
    return () if $text =~ /^ ?(void)? ?$/;
    return map { s/^ //r } split /,/, $text;
}

sub read_header {
    my ($name, $file) = @_;
    my ($text, @numbers) = preprocess($file);
    my %h = (constants => [], types => [], callbacks => [], functions => []);
    for (@numbers) {
        my ($constant, $value) = @$_;
        push @{ $h{constants} },
            $value =~ /[.eE]/
            ? [$constant, "${value}_c_double", 'real(c_double)']
            : [$constant, $value, 'integer(c_int)'];
    }
    for (statements($text =~ s/extern "C" \{//r)) {
        s/^\} ?//;    # of extern "C"
        next if $_ eq '';
        if (/^(?:typedef )?enum ?(\w*) ?\{(.*)\} ?(\w*)$/) {
            my ($enum, $next) = ($3 || $1, 0);
            $enum{$enum} = 1 if $enum;
            for my $item (split /,/, $2) {
                next if $item =~ /^ *$/;
                $item =~ /^ ?(\w+) ?(?:= ?(-?\w+) ?)?$/ or fail "$file: $item";
                $next = $constant{$2} // $2 if defined $2;
                $constant{$1} = $next;
                push @{ $h{constants} },
                    [fortran_name($1, $enum), $next++, 'integer(c_int)'];
            }
        } elsif (/^typedef struct (\w+) (\w+)$/
            || /^typedef (hesca_\w+) (\w+)$/)
        {
            $opaque{$2} = 1;
        } elsif (/^(?:typedef )?struct ?(\w*) ?\{(.*)\} ?(\w*)$/) {
            my ($struct, $members) = ($3 || $1, $2);
            $struct{$struct} = 1;
            push @{ $h{types} }, { name => $struct, members => $members };
        } elsif (/^typedef ([\w ]+[ *])\( ?\* ?(\w+) ?\) ?\((.*)\)$/
            || /^typedef ([\w ]+[ *])(\w+)\((.*)\)$/)
        {
            $callback{$2} = 1;
            push @{ $h{callbacks} },
                { result => $1, cname => $2, parameters => $3 };
        } elsif (/^typedef (\w+) (hesca_int)$/) {
            push @{ $h{constants} }, [$2, "c_$1", 'integer'];
        } elsif (/^HESCA_API extern /) {
            next;     # a list that ends with NULL; ..._find() searches it
        } elsif (/^HESCA_API .*?(\w+) ?\(/ && $c_only{$1}) {
            next;
        } elsif (/^HESCA_API (.*?[ *])(\w+)\((.*)\)$/) {
            push @{ $h{functions} },
                { result => $1, cname => $2, parameters => $3 };
        } else {
            fail "$file: '$_' is not understood";
        }
    }
    $header{$name} = \%h;
}

# ------------------------------------------------ writing Fortran

# A statement, broken such that no line is longer than 79 columns; at the end
# of each but the last there is " &", or what is given.
sub statement {
    my ($indent, $text, $mark) = @_;
    my ($out, $line) = ('', ' ' x $indent);
    $mark = ' &' if !defined $mark;
    for my $word ($text =~ /bind\(C, name=\S+|\S+ ?/g) {
        if (length("$line$word") > 78 && $line =~ /\S/) {
            $out .= $line =~ s/ *$//r . "$mark\n";
            $line = ' ' x ($indent + 6);
        }
        $line .= $word;
    }
    return "$out$line\n";
}

sub base_type {
    my ($base) = @_;
    return $kind{$base} if $kind{$base};
    return $kind{int} if $enum{$base};
    return "type($base)" if $struct{$base};
    fail "type '$base' is not known";
}

# Type and name of an argument, as [before ::, after ::, is a string, by value].
sub argument {
    my ($function, $d, $raw) = @_;
    my ($base, $name, $stars) = @{$d}{qw(base name stars)};
    my $void   = $base eq 'void';
    my $string = $base eq 'char' && $stars == 1;
    my $option = has(\%optional, $function, $name) ? ', optional' : '';
    my $intent = $d->{const} ? ', intent(in)' : ', intent(inout)';
    return ['type(c_funptr)', $name, 0, 1] if $callback{$base} && $stars <= 1;
    return ['type(c_ptr)', $name, 0, 1]
        if $stars == 1 && ($opaque{$base} && !$struct{$base}
            || $handle{$base} || has(\%pointer, $function, $name));
    return [base_type($base), $name, 0, 1] if $stars == 0;
    if ($stars == 2) {
        return ["type(c_ptr), intent(in)$option", "$name(*)", 0, 0]
            if $d->{between};
        return ['type(c_ptr)', $name, 0, 1] if $base eq 'double';
        return ['type(c_ptr), intent(out)', $name, 0, 0];
    }
    fail "$function: $name" if $stars != 1;
    $intent = '' if $void && !$d->{const};
    my $is_array =
          $void          ? !has(\%scalar, $function, $name)
        : $struct{$base} ? has(\%array, $function, $name)
        :   $d->{const} || $string || has(\%array, $function, $name);
    return [($void ? 'type(*)' : base_type($base)) . $intent . $option,
        $name . ($is_array ? '(*)' : ''), $string && $d->{const} && !$raw, 0];
}

# The heading and the end of a function or subroutine.
sub heading {
    my ($f, $name) = @_;
    my @names = map { $_->{name} } @{ $f->{arguments} };
    my $list = "$name(" . join(', ', @names) . ')';
    return ("subroutine $list", 'end subroutine') if $f->{type} eq '';
    return ("$f->{type} function $list", 'end function');
}

# Find types and names of arguments and result.
sub analyse {
    my ($f, $raw) = @_;
    my $name = $f->{cname};
    $raw ||= $raw{$name};
    $f->{arguments} = [map { declaration($_) } parameters($f->{parameters})];
    $f->{fortran} =
        [map { argument($name, $_, $raw) } @{ $f->{arguments} }];
    my $result = declaration("$f->{result} result");
    $f->{comm} = grep { $_->{base} eq 'MPI_Comm' } @{ $f->{arguments} };
    $f->{string} =
        $result->{base} eq 'char' && $result->{stars} == 1 && !$raw;
    $f->{type} =
          $result->{stars}            ? 'type(c_ptr)'
        : $result->{base} eq 'void'   ? ''
        : $callback{ $result->{base} } ? 'type(c_funptr)'
        :   base_type($result->{base});
    $f->{wrapped} = $by_hand{$name} || $f->{string} || $logical{$name}
        || grep { $_->[2] } @{ $f->{fortran} };
    $f->{name} = fortran_name($name);
    ($f->{inner} = $f->{name}) =~ s/^hesca_/c_/ if $f->{wrapped};
}

sub interface {
    my ($f, $is_abstract) = @_;
    my ($head, $end) = heading($f, $f->{inner} || $f->{name});
    my $symbol = $f->{cname} . ($f->{comm} ? '_f' : '');
    my $out = statement(6, $is_abstract ? "$head bind(C)"
        : "$head bind(C, name='$symbol')");
    $out .= statement(9, 'import');
    for (@{ $f->{fortran} }) {
        my ($type, $name, undef, $by_value) = @$_;
        $out .= statement(9, $type . ($by_value ? ', value' : '') . " :: $name");
    }
    return $out . "      $end\n\n";
}

# The procedure around an interface with strings of C.
sub procedure {
    my ($f) = @_;
    my ($head, $end) = heading({ %$f, type => $f->{type} && 'x' }, $f->{name});
    $head =~ s/^x //;
    my (@given, $out);
    $out = statement(3, $head . ($f->{type} ? ' result(answer)' : ''));
    for (@{ $f->{fortran} }) {
        my ($type, $name, $string, $by_value) = @$_;
        $type = 'character(*), intent(in)' if $string;
        $type .= ', intent(in)' if $by_value;
        $name =~ s/\(\*\)// if $string;
        $out .= statement(6, "$type :: $name");
        $name =~ s/\(\*\)//;
        push @given, $string ? "trim($name)//c_null_char" : $name;
    }
    my $call = "$f->{inner}(" . join(', ', @given) . ')';
    if ($f->{string}) {
        $out .= statement(6, 'character(:), allocatable :: answer');
        $call = "hesca_string($call)";
    } elsif ($logical{ $f->{cname} }) {
        $out .= statement(6, 'logical :: answer');
        $call .= ' /= 0';
    } elsif ($f->{type}) {
        $out .= statement(6, "$f->{type} :: answer");
    }
    $out .= statement(6, $f->{type} ? "answer = $call" : "call $call");
    return $out . "   $end\n\n";
}

sub type_definition {
    my ($type) = @_;
    my $out = "   type, bind(C), public :: $type->{name}\n";
    for my $list (grep { /\S/ } split /;/, $type->{members}) {
        $list =~ s/^ | $//g;
        my $before;
        my @parts = $list =~ /\(/ ? ($list) : split / ?, ?/, $list;
        for my $part (@parts) {
            my $d = $before = declaration($part, $before);
            my ($base, $name) = @{$d}{qw(base name)};
            my $fortran =
                  $d->{funptr} || $callback{$base} ? 'type(c_funptr)'
                : $d->{stars} ? 'type(c_ptr)'
                :               base_type($base);
            my $value = $initial{"$type->{name}.$name"} || 0;
            my $init =
                  $fortran eq 'type(c_funptr)' ? ' = c_null_funptr'
                : $fortran eq 'type(c_ptr)'    ? ' = c_null_ptr'
                : $fortran =~ /^type/          ? ''
                : $base eq 'char'              ? ' = c_null_char'
                :                                " = $value";
            $name .= "($d->{count})" if $d->{count};
            $out .= statement(6, "$fortran :: $name$init");
        }
    }
    return "$out   end type\n\n";
}

# The declarations of a module, and the names that are public by them.
sub declarations {
    my ($module) = @_;
    my ($constants, $types, $callbacks, $interfaces) = ('', '', '', '');
    my (@all, @public);
    for my $name (@{ $module->{headers} }) {
        my $h = $header{$name} or fail "$name is no public header";
        for (@{ $h->{constants} }) {
            my ($constant, $value, $type) = @$_;
            $constants .=
                statement(3, "$type, parameter, public :: $constant = $value");
            push @all, $constant;
        }
        for (@{ $h->{types} }) {
            $types .= type_definition($_);
            push @all, $_->{name};
        }
        for (@{ $h->{callbacks} }) {
            analyse($_, 1);
            $callbacks .= interface($_, 1);
            push @all, $_->{name};
            push @public, $_->{name};
        }
        my $group = '';
        for (@{ $h->{functions} }) {
            analyse($_, $raw_module{ $module->{name} });
            $group .= interface($_);
            push @all, $_->{name};
            push @public, $_->{name};
        }
        $interfaces .= "      ! $name\n$group" if $group;
    }
    $module->{all} = \@all;
    s/\n\n$/\n/ for $callbacks, $interfaces;
    my $out = ($constants && "$constants\n") . $types . public(@public) . "\n";
    $out .= "   abstract interface\n$callbacks   end interface\n\n"
        if $callbacks;
    $out .= "   interface\n$interfaces   end interface\n" if $interfaces;
    return $out;
}

sub public { return join '', map { "   public :: $_\n" } @_ }

sub procedures {
    my ($module) = @_;
    my $out = '';
    for (map { @{ $header{$_}{functions} } } @{ $module->{headers} }) {
        $out .= procedure($_) if $_->{wrapped} && !$by_hand{ $_->{cname} };
        fail "$module->{name} has no $_->{name}"
            if $by_hand{ $_->{cname} }
            && $module->{text} !~ /(?:function|interface) $_->{name}\b/;
    }
    return $out =~ s/\n\n$/\n/r;
}

# Two names that Fortran takes for one, and names that are too long.
sub check_names {
    my %seen;
    for my $name (@_) {
        fail "$name and $seen{lc $name} are one name in Fortran"
            if $seen{ lc $name };
        fail "$name is longer than 63 characters" if length $name > 63;
        $seen{ lc $name } = $name;
    }
}

# ------------------------------------------------ writing C

sub comm_functions {
    my ($includes, $out) = ('', '');
    for my $header (@_) {
        my @functions = grep { $_->{comm} } @{ $header{$header}{functions} };
        $includes .= "#include \"$header\"\n" if @functions;
        for my $f (@functions) {
            my (@formal, @given);
            for my $p (parameters($f->{parameters})) {
                my $d       = declaration($p);
                my $is_enum = $enum{ $d->{base} } && !$d->{stars};
                my $is_comm = $d->{base} eq 'MPI_Comm';
                push @formal,
                      $is_comm ? "MPI_Fint $d->{name}"
                    : $is_enum ? "int $d->{name}"
                    :            $p;
                push @given,
                      $is_comm ? "MPI_Comm_f2c($d->{name})"
                    : $is_enum ? "($d->{base})$d->{name}"
                    :            $d->{name};
            }
            my $heading =
                "$f->{result}$f->{cname}_f(" . join(', ', @formal) . ')';
            my $call = "return $f->{cname}(" . join(', ', @given) . ');';
            $out .= "\n" . statement(0, "HESCA_API $heading;", '')
                . statement(0, $heading, '') . "{\n"
                . statement(4, $call, '') . "}\n";
        }
    }
    return "/* Functions that take an MPI_Comm, with a Fortran communicator,"
        . " which only\n * C can convert.  Made by generate.pl. */\n"
        . "$includes#include <mpi.h>\n$out";
}

# ------------------------------------------------

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', $name or fail "$name: $!";
    print $file $text;
    close $file or fail "$name: $!";
}

$ilp64 = 0;
if (@ARGV && $ARGV[0] eq '--ilp64') {
    $ilp64 = 1;
    shift @ARGV;
}
@ARGV > 2 or fail 'usage: [--ilp64] SOURCE OUTPUT HEADER...';
my ($source, $output, @headers) = @ARGV;
my $templates = "$source/fortran";

s{^include/}{} for @headers;
for my $name (@headers) {
    my $file = "$source/include/$name";
    $file .= '.in' if !-e $file;
    read_header($name, $file);
}

my (%home, @modules);
for my $file (sort glob "'$templates'/*.f90.in") {
    my ($name) = $file =~ m{([^/]*)\.f90\.in$};
    open $in, '<', $file or fail "$file: $!";
    my $text = do { local $/; <$in> };
    close $in;
    my @has = map { split ' ' } $text =~ /^\@headers (.*)\n/mg;
    $text =~ s/^\@headers .*\n//mg;
    $home{$_} = $name for @has;
    $module{$name} = { name => $name, text => $text, headers => \@has };
    push @modules, $name;
}
for (grep { @{ $header{$_}{functions} } } @headers) {
    fail "no template in $templates has $_" if !$home{$_};
}
$module{$_}{declarations} = declarations($module{$_}) for @modules;
for my $name (@modules) {
    my $module = $module{$name};
    my @names  = @{ $module->{all} };
    my $text   = $module->{text};
    $text =~ s/^\@declarations\n/$module->{declarations}/m;
    $text =~ s/^\@procedures\n/procedures($module)/me;
    while ($text =~ /^\@public (.*)\n/m) {
        my @others = map { @{ $module{$_}{all} } } split ' ', $1;
        push @names, @others;
        my $public = public(@others);
        $text =~ s/^\@public .*\n/$public/m;
    }
    check_names(@names);
    write_file("$output/$name.f90",
        "! Made by generate.pl from $name.f90.in and the public headers.\n$text");
}
write_file("$output/comm.c", comm_functions(@headers));

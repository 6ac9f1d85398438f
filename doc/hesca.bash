# SPDX-License-Identifier: BSD-3-Clause
# Completion of hesca(1) in bash, from what the program prints for --help.
_hesca() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} program=$1
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$($program --help 2>/dev/null |
            sed -n 's/^  \([a-z]*\)  .*/\1/p') help version" -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$($program "$command" --help 2>/dev/null |
            grep -oE -e '--?[a-z][a-z-]*' | sort -u)" -- "$word"))
    elif [ "$command" = help ]; then
        COMPREPLY=($(compgen -W "$($program --help 2>/dev/null |
            sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$word"))
    fi
}
complete -o default -F _hesca hesca hesca.mpich hesca.openmpi

import { type Offer, type Flag, quoted } from './offers.ts';

/** A script for bash 3.2 or later that needs no other package. */
export function bashScript(offers: readonly Offer[]): string {
  return `# Completion of roster for bash, made by "roster completion bash".

# What may follow the words of a command: commands, flags (with = where they take a value), <file>.
_roster_at() {
  case $1 in
${offers.map((one) => `    ${quoted(one.words)}) offered=${quoted(offered(one))} ;;`).join('\n')}
  esac
}
${rest}`;
}

function offered({ commands, flags, takesFile }: Offer): string {
  return [...commands.map(({ name }) => name), ...flags.flatMap(written), ...(takesFile ? ['<file>'] : [])].join(' ');
}

/** `--scope=contacts:read|members:read`, `--rejects=<file>`, `--name=` or `--json`. */
function written({ name, short, values }: Flag): string[] {
  const value = values === undefined ? '' : `=${typeof values === 'string' ? values : values.join('|')}`;
  return [...(short === undefined ? [] : [short]), `${name}${value}`];
}

const rest = `
# Whether the flag takes a value; which ones, is in $values.
_roster_takes() {
  local one
  for one in $offered; do
    if [[ $one == "$1="* ]]; then
      values=\${one#*=}
      return 0
    fi
  done
  return 1
}

_roster_files() {
  local one
  # Bash itself completes what compgen cannot, such as a word with backslashes.
  compopt -o filenames -o default 2>/dev/null
  while IFS= read -r one; do
    COMPREPLY+=("$1$one")
  done < <(compgen -f -- "$2")
}

_roster() {
  local IFS=$' \\t\\n' place='' offered='' values='' flag='' before='' head='' whole word one i
  local -a line=()
  COMPREPLY=()
  # Bash takes words apart at : and =; this joins them again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ \${#line[@]} -gt 0 && ( $word =~ ^[:=]+$ || $before =~ ^[:=]+$ ) ]]; then
      line[\${#line[@]} - 1]+=$word
    else
      line+=("$word")
    fi
    before=$word
  done
  _roster_at "$place"
  for ((i = 0; i < \${#line[@]} - 1; i++)); do
    word=\${line[i]}
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == -* ]]; then
      _roster_takes "$word" && flag=$word
    elif [[ $word != help && " $offered " == *" $word "* ]]; then
      place="\${place:+$place }$word"
      _roster_at "$place"
    fi
  done
  whole=\${line[\${#line[@]} - 1]}
  word=$whole
  before=''
  if [[ -z $flag && $word == --*=* ]]; then
    flag=\${word%%=*}
    before="$flag="
    word=\${word#*=}
  fi
  if [[ -n $flag ]]; then
    _roster_takes "$flag" || return 0
    if [[ $values == '<file>' ]]; then
      _roster_files "$before" "$word"
    else
      COMPREPLY=($(compgen -P "$before" -W "\${values//|/ }" -- "$word"))
    fi
  else
    for one in $offered; do
      [[ $one == '<file>' && $word != -* ]] && _roster_files '' "$word"
      one=\${one%%=*}
      # Flags are offered from their first letter on.
      [[ $one != '<file>' && $one == "$word"* && ( $one != -* || $word == -* ) ]] && COMPREPLY+=("$one")
    done
  fi
  # Bash puts the rest behind the last : or = itself.
  for one in : =; do
    before=\${whole%"\${whole##*"$one"}"}
    [[ $COMP_WORDBREAKS == *$one* && \${#before} -gt \${#head} ]] && head=$before
  done
  [[ -z $head ]] || COMPREPLY=("\${COMPREPLY[@]#"$head"}")
}

complete -F _roster roster
`;

import { type Offer, type Described, type Flag, quoted } from './offers.ts';

/** A script for zsh: a file `_roster` in its fpath, or read by `source` after compinit. */
export function zshScript(offers: readonly Offer[]): string {
  return `#compdef roster
# Completion of roster for zsh, made by "roster completion zsh".

# What may follow the words of a command: its commands, its flags, and the values that flags take.
_roster_at() {
  takes_file=''
  case $1 in
${offers.map(branch).join('\n')}
  esac
}
${rest}`;
}

function branch({ words, commands, flags, takesFile }: Offer): string {
  const lines = [
    `subcommands=(${commands.map(described).join(' ')})`,
    `flags=(${flags.flatMap(named).map(described).join(' ')})`,
    `takes=(${flags.flatMap(taken).map(quoted).join(' ')})`,
    ...(takesFile ? ['takes_file=yes'] : []),
  ];
  return `    (${quoted(words)})\n${lines.map((line) => `      ${line}\n`).join('')}      ;;`;
}

const described = ({ name, says }: Described) => quoted(`${name}:${says}`);

function named({ name, short, says }: Flag): Described[] {
  return [...(short === undefined ? [] : [{ name: short, says }]), { name, says }];
}

function taken({ name, values }: Flag): string[] {
  if (values === undefined) return [];
  return [name, typeof values === 'string' ? values : values.join(' ')];
}

const rest = `
_roster() {
  local place='' takes_file='' flag='' word
  local -a subcommands flags
  local -A takes
  integer i
  _roster_at "$place"
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == -* ]]; then
      (( $+takes[$word] )) && flag=$word
    elif [[ $word != help && -n \${(M)subcommands:#\${(b)word}:*} ]]; then
      place="\${place:+$place }$word"
      _roster_at "$place"
    fi
  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag=\${PREFIX%%=*}
    (( $+takes[$flag] )) || return 1
    compset -P '*='
  fi
  if [[ $takes[$flag] == '<file>' ]]; then
    _files
  elif [[ -n $takes[$flag] ]]; then
    compadd -- \${=takes[$flag]}
  elif [[ -n $flag ]]; then
    _message "value of $flag"
  elif [[ $PREFIX == -* ]]; then
    _describe -o option flags
  else
    (( $#subcommands )) && _describe command subcommands
    [[ -z $takes_file ]] || _files
  fi
}

if [[ $funcstack[1] == _roster ]]; then
  _roster "$@"
else
  compdef _roster roster
fi
`;

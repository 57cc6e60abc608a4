import type { Offer, Flag } from './offers.ts';

export function fishScript(offers: readonly Offer[]): string {
  const known = offers.filter(({ words }) => words !== '').map(({ words }) => quotedInFish(words));
  return `# Completion of roster for fish, made by "roster completion fish".

set -g __roster_known ${known.join(' ')}

# Whether the commands on the line so far are these.
function __roster_at
${rest}
complete -c roster -f
${offers.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ words, commands, flags, takesFile }: Offer): string[] {
  const here = `complete -c roster -n ${quotedInFish(`__roster_at ${quotedInFish(words)}`)}`;
  return [
    ...commands.map(({ name, says }) => `${here} -a ${name} -d ${quotedInFish(says)}`),
    ...(takesFile ? [`${here} -F`] : []),
    ...flags.map((flag) => `${here} ${ofFlag(flag)} -d ${quotedInFish(flag.says)}`),
  ];
}

function ofFlag({ name, short, values }: Flag): string {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${name.slice(2)}`;
  if (values === undefined) return names;
  if (typeof values === 'string') return `${names} -r -F`;
  return `${names} -x${values.length === 0 ? '' : ` -a ${quotedInFish(values.join(' '))}`}`;
}

/** In single quotes fish reads a backslash before a quote or a backslash alone. */
function quotedInFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

const rest = `    set -l line (commandline -opc)
    # Fish asks this once for each place.
    if test "$line" != "$__roster_line"
        set -g __roster_line "$line"
        set -g __roster_place ''
        set -e line[1]
        set -l flag
        for word in $line
            if test -n "$flag"
                set flag
            else if test "$word" = --env-file
                set flag $word
            else if contains -- (string trim -- "$__roster_place $word") $__roster_known
                set __roster_place (string trim -- "$__roster_place $word")
            end
        end
    end
    test "$__roster_place" = "$argv[1]"
end
`;

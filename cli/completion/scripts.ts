import { script } from '@bomb.sh/tab';

const name = 'longshore';

/** The scripts ask `longshore complete` for the words. */
export function printScript(shell: 'bash' | 'zsh' | 'fish'): void {
  if (shell === 'bash') console.log(bash);
  else script(shell, name, name);
}

/**
 * The script of the library needs the package bash-completion, cannot be read twice, and hands what is typed, and what it
 * is answered, to the shell to be evaluated. This one does none of these. Bash itself splits words at `=` and `:`, so it
 * wants only what follows them.
 */
const bash = `# bash completion for ${name}
__${name}_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]} out directive value before
  local word=\${line##*[[:space:]]}
  COMPREPLY=()
  out=$(${name} complete --line "$line" 2>/dev/null) || return
  directive=\${out##*:}
  [[ $current == [=:] ]] && current=
  before=\${word%"$current"}
  while IFS=$'\\t' read -r value _; do
    [[ $value == :* || -z $value ]] || COMPREPLY+=("\${value#"$before"}")
  done <<<"$out"
  (( \${#COMPREPLY[@]} == 0 && directive == 0 )) && compopt -o default 2>/dev/null
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F __${name}_complete ${name}`;

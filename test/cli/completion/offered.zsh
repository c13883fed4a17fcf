# What zsh offers for lines: `zsh -f offered.zsh SCRIPT LINE…` prints the candidates, and OVER behind those of each line. An interactive zsh in
# a terminal of its own is given the line and a key that completes; the builtin that takes candidates tells them before it drops them.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; RPS1=; unset zle_bracketed_paste; autoload -U compinit; compinit -u -D; source ${(q)1}"
zpty -w shell '
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  typeset -a taken
  builtin compadd -A taken "$@"
  for each in "${taken[@]}"; do print -r -- "TAKEN:$each"; done
}
none() { zle kill-buffer }
over() { print OVER"ALL" }
offer() { compprefuncs=(none); comppostfuncs=(over); zle complete-word }
zle -N offer; bindkey "^I" offer; print REA"DY"'
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
shift
for asked; do
  zpty -w -n shell "$asked"$'\t'
  while zpty -r shell line; do
    line=${line%$'\r\n'}
    [[ $line == *TAKEN:* ]] && print -r -- ${line##*TAKEN:}
    [[ $line == *OVERALL* ]] && break
  done
  print OVER
  zpty -w -n shell $'\C-u'
done
zpty -d shell

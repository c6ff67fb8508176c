import { KEEPER_VARIABLE } from './process-table.ts';

/**
 * The keeper's program, for bash and for other shells whose `read` takes a timeout (busybox, macOS, BSD). `$1` is
 * the common prefix of the marks of its owner's children.
 *
 * Each input line holds an event, its process group, and the seconds left until the deadline (`none` without one).
 * End of input and the deadline have the same effect.
 */
export const keeperScript = `
# Who ends its owner politely ends the keeper with it: through the pipe.
trap '' HUP INT TERM
mark=$1 groups=' ' left=none
if [ -r /proc/self/environ ]; then
  marked() {
    for file in $(grep -lsF "${KEEPER_VARIABLE}=$mark" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      echo "\${file%/environ}"
    done
  }
else
  marked() {
    ps axeww -o pid=,command= | while read -r pid command; do
      case " $command " in *" ${KEEPER_VARIABLE}=$mark"*) echo "$pid" ;; esac
    done
  }
fi
strike() {
  found=
  for group in $groups; do kill -s "$1" -- "-$group" && found=1; done 2>/dev/null
  for pid in $(marked); do kill -s "$1" "$pid" && found=1; done 2>/dev/null
}
# A shell that knows no timeout keeps watch without a deadline.
read -r -t 1 line 2>/dev/null </dev/null
[ $? -gt 1 ] && timed=no || timed=yes
while
  if [ "$left" = none ] || [ $timed = no ]; then read -r verb group left
  else read -r -t "$left" verb group left
  fi
do
  case $verb in
    watch) groups="$groups$group " ;;
    forget) case $groups in *" $group "*) groups="\${groups%% "$group" *} \${groups#* "$group" }" ;; esac ;;
    quit) exit ;;
  esac
done
strike TERM
strike CONT
for round in 1 2 3; do
  sleep 0.1 || sleep 1
  strike 0
  [ -n "$found" ] || exit
done
for round in 1 2 3 4 5 6 7 8 9 10; do
  strike KILL
  [ -n "$found" ] || exit
  sleep 0.1 || sleep 1
done
`;

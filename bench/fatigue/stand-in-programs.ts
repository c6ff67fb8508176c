import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface StandIns {
  /** Folders to put in front of the PATH. */
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** Programs that the turns use and this machine may lack. `pip` never changes the machine's own Python. */
export function provideStandIns(folder: string, registry: string): StandIns {
  mkdirSync(folder, { recursive: true });
  const missing = Object.keys(programs).filter((name) => name === 'pip' || !isInstalled(name));
  for (const name of missing)
    writeFileSync(path.join(folder, name), programs[name]?.(registry) ?? '', { mode: 0o755 });
  return { folders: [folder, ...pythonFolder()], names: missing };
}

/** Launchers such as pyenv's take longer than the programs they start. */
function pythonFolder(): readonly string[] {
  const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return found.status === 0 ? [path.dirname(found.stdout.trim())] : [];
}

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const programs: Readonly<Record<string, (registry: string) => string>> = {
  /** Stores content below the git folder and leaves a pointer, as git-lfs does. */
  'git-lfs': () => `#!/bin/sh
store() { printf '%s/lfs/objects' "$(git rev-parse --git-common-dir)"; }
case "$1" in
clean)
  folder=$(store); mkdir -p "$folder"; file=$(mktemp "$folder/XXXXXX"); cat > "$file"
  if head -c 40 "$file" | grep -q git-lfs; then cat "$file"; rm "$file"; exit; fi
  sum=$(sha256sum < "$file" | cut -d' ' -f1); size=$(wc -c < "$file"); mv "$file" "$folder/$sum"
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$sum" "$size" ;;
smudge)
  text=$(cat); sum=$(printf '%s' "$text" | sed -n 's/^oid sha256://p'); file="$(store)/$sum"
  if [ -f "$file" ]; then cat "$file"; else printf '%s\\n' "$text"; fi ;;
ls-files) git ls-files | grep -E '\\.(png|wav|zip)$' ;;
track) printf '%s filter=lfs diff=lfs merge=lfs -text\\n' "$2" >> .gitattributes; echo "Tracking $2" ;;
esac
`,
  pnpm: () => `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === '--version') return console.log('9.0.0');
const all = readdirSync('packages').filter((name) => existsSync('packages/' + name + '/package.json'));
const of = (name) => JSON.parse(readFileSync('packages/' + name + '/package.json'));
const isAll = args[0] === '-r';
const chosen = isAll ? all : all.filter((name) => of(name).name === args[1]);
const [task] = args.slice(isAll ? 1 : 2);
for (const name of chosen)
  if (of(name).scripts[task])
    execFileSync('sh', ['-c', of(name).scripts[task]], { cwd: 'packages/' + name, stdio: 'inherit' });
`,
  /** Requests each package from the registry, and keeps a list in the project. */
  pip: (registry) => `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, readFileSync } = require('node:fs');
const [command, , file] = process.argv.slice(2);
if (command === 'list') return console.log(existsSync('.venv/list') ? readFileSync('.venv/list', 'utf8') : '');
(async () => {
  for (const name of readFileSync(file, 'utf8').split('\\n').filter(Boolean)) {
    const answer = await fetch('${registry}' + name);
    mkdirSync('.venv', { recursive: true });
    appendFileSync('.venv/list', (await answer.json()).name + '\\n');
  }
})().catch((error) => { console.error(error.message, error.cause?.code); process.exit(1); });
`,
  ruff: () => '#!/bin/sh\necho "All checks passed!"\n',
  mypy: () => '#!/bin/sh\necho "Success: no issues found"\n',
};

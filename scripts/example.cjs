// `npm run example NAME`: runs one of the programs in examples/. npm puts the Node that the set-up installed first
// in PATH, so an older Node on the machine is enough. Written so that old Nodes can read it.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const NEEDED_MAJOR = 24;
const folder = path.resolve(__dirname, '../examples');
const mainOf = (name) => path.join(folder, name, 'main.ts');
const names = fs.readdirSync(folder).filter((name) => fs.existsSync(mainOf(name)));
const wanted = process.argv[2];

if (!names.includes(wanted)) {
  console.error(`Usage: npm run example NAME\nNAME is one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  console.error(
    `The examples need Node ${NEEDED_MAJOR} or newer; this is Node ${process.versions.node}. ` +
      `Run \`npm run example ${wanted}\`, which brings one, or install it.`,
  );
  process.exitCode = 2;
} else {
  process.argv.splice(1, 2, mainOf(wanted));
  import(pathToFileURL(mainOf(wanted)).href).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

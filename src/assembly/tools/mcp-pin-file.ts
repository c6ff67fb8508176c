/** Pins of MCP servers in `$RONDO_HOME/mcp-pins.json`. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import { fieldsOf, isJsonObject } from '../../kernel/json-object.ts';
import type { McpPin, McpPins } from '../../tools/mcp/mcp-pins.ts';

export function createMcpPinFile(home: string): McpPins {
  const file = fileIn(home);
  return {
    async keep(id, pin) {
      const before = pinsIn(await readPrivateJson(file));
      if (before[id] !== undefined) return before[id];
      let kept = pin;
      await updatePrivateJson(file, (value) => {
        const pins = pinsIn(value);
        kept = pins[id] ?? pin;
        return { version: 2, pins: { ...pins, [id]: kept } };
      });
      return kept;
    },
  };
}

/** Removes a server's pin, so that its next use pins the current version. False if it has no pin. */
export async function acceptMcpServer(home: string, server: string): Promise<boolean> {
  let isFound = false;
  await updatePrivateJson(fileIn(home), (value) => {
    const pins = Object.entries(pinsIn(value));
    isFound = pins.some(([, pin]) => pin.server === server);
    return { version: 2, pins: Object.fromEntries(pins.filter(([, pin]) => pin.server !== server)) };
  });
  return isFound;
}

function fileIn(home: string): string {
  return path.join(home, 'mcp-pins.json');
}

function pinsIn(value: unknown): Readonly<Record<string, McpPin>> {
  const { pins } = fieldsOf(value);
  return Object.fromEntries(
    Object.entries(fieldsOf(pins)).filter((entry): entry is [string, McpPin] => isPin(entry[1])),
  );
}

function isPin(value: unknown): value is McpPin {
  const { server, items } = fieldsOf(value);
  return typeof server === 'string' && isJsonObject(items);
}

/** Conventions of languages and frameworks, for projects whose files show that they use them. */
import type { PromptAtom } from '../words/prompt-atom.ts';
import { defineAtom } from './define-atom.ts';

type Text = readonly [content: string, min: string];

const languages: Readonly<Record<string, Text>> = {
  typescript: [
    `TypeScript: keep to the project's compiler options and module style. No \`any\`, no non-null \`!\`, no cast to silence an error: narrow instead. Model alternatives as tagged unions and let switches be complete. Types at the border are checked at run time. Run the type check after a change.`,
    `TypeScript: no any, no casts to silence errors; run the type check.`,
  ],
  javascript: [
    `JavaScript: follow the project's module system and style. Use \`const\`, strict equality and awaited promises; no promise is left without a handler. Check arguments where data enters. Where JSDoc types are used, keep them true.`,
    `JavaScript: project's module style, strict equality, no loose promises.`,
  ],
  python: [
    `Python: keep to the version the project names. Type hints where the project has them; context managers for what must be closed; no bare except, no mutable default arguments. Use the project's environment and tool (uv, poetry, pip) and do not install globally.`,
    `Python: project's version and environment; no bare except, no mutable defaults.`,
  ],
  go: [
    `Go: handle each error where it occurs and wrap it with what was being done. Small interfaces where they are used; no goroutine without an end; pass the context first. Run gofmt and go vet, and tests with -race where concurrency is touched.`,
    `Go: handle every error, no endless goroutines, gofmt and vet.`,
  ],
  rust: [
    `Rust: return \`Result\` and use \`?\`; no \`unwrap\` outside tests and proven cases; borrow before you clone; \`unsafe\` only with a stated reason. Run cargo fmt, clippy and the tests.`,
    `Rust: Result and ?, no stray unwrap; fmt, clippy, test.`,
  ],
  java: [
    `Java: keep to the language level of the build. Immutable data where possible, try-with-resources, specific exceptions, no swallowed ones. Follow the project's build tool and its formatter.`,
    `Java: immutable data, try-with-resources, no swallowed exceptions.`,
  ],
  ruby: [
    `Ruby: follow the project's RuboCop settings; small methods, guard clauses, no monkey patches of core classes. Use bundler for everything that runs.`,
    `Ruby: RuboCop's settings, bundler, no core patches.`,
  ],
  php: [
    `PHP: strict types, constructor injection, prepared statements for every query, escaped output. Keep to the PSR style the project uses and run its static analysis.`,
    `PHP: strict types, prepared statements, escaped output.`,
  ],
  csharp: [
    `C#: nullable reference types respected, async all the way with cancellation tokens passed on, \`using\` for what must be disposed. Follow the solution's analyzers.`,
    `C#: nullable respected, async with cancellation, dispose.`,
  ],
  cpp: [
    `C and C++: ownership is explicit; RAII or a single clean-up path; no unchecked lengths, no signed overflow, no undefined behavior to be clever. Build with warnings on and run under sanitizers where the project can.`,
    `C/C++: explicit ownership, checked lengths, warnings and sanitizers.`,
  ],
};

const frameworks: Readonly<Record<string, Text>> = {
  react: [
    `React: components are pure functions of props and state; effects only for the outside world, with all their dependencies and a clean-up; keys are stable; state lives as low as possible.`,
    `React: pure components, honest effect dependencies, stable keys.`,
  ],
  next: [
    `Next.js: know for each file whether it runs on the server or the client; secrets and database access stay on the server; follow the router the project uses.`,
    `Next.js: server or client for each file; secrets stay on the server.`,
  ],
  vue: [
    `Vue: composition API where the project uses it; props down, events up; computed values instead of watchers where they do.`,
    `Vue: props down, events up, computed before watch.`,
  ],
  svelte: [
    `Svelte: follow the version's reactivity (runes from 5 on); keep logic in modules and markup thin; clean up subscriptions.`,
    `Svelte: the version's reactivity, thin markup.`,
  ],
  express: [
    `Express: validate input at the route, pass errors to one handler, set no headers after sending, never block the event loop.`,
    `Express: validate at the route, one error handler.`,
  ],
  nest: [
    `NestJS: modules own their providers, DTOs are validated by pipes, guards decide access, no logic in controllers.`,
    `NestJS: validated DTOs, guards, thin controllers.`,
  ],
  django: [
    `Django: queries through the ORM with select_related where loops need it; a migration for every model change; forms or serializers validate; templates escape.`,
    `Django: migrations for models, ORM queries, validated input.`,
  ],
  flask: [
    `Flask: an application factory and blueprints where the project has them; validate request data; no global mutable state.`,
    `Flask: validate requests, no global state.`,
  ],
  fastapi: [
    `FastAPI: Pydantic models at the border, dependencies for shared resources, no blocking call in an async route.`,
    `FastAPI: Pydantic at the border, nothing blocking in async.`,
  ],
  rails: [
    `Rails: thin controllers, strong parameters, scopes instead of repeated queries, reversible migrations, no N+1.`,
    `Rails: strong parameters, reversible migrations, no N+1.`,
  ],
  spring: [
    `Spring: constructor injection, transactions at the service layer, validation on request bodies, configuration by properties.`,
    `Spring: constructor injection, transactions in services.`,
  ],
  vitest: [
    `Vitest: tests beside the source or where the project keeps them; fakes rather than module mocks; run one file with \`vitest run path\`.`,
    `Vitest: run one file with \`vitest run path\`.`,
  ],
  jest: [
    `Jest: one file runs with \`npx jest path\`; reset what a test changed; no snapshot where an assertion says more.`,
    `Jest: run one file with \`npx jest path\`.`,
  ],
  pytest: [
    `pytest: fixtures over set-up code, parametrize for tables, \`-k\` and a path to run a few; no order between tests.`,
    `pytest: fixtures, parametrize, run a few with -k.`,
  ],
};

function atomsOf(
  kind: 'language' | 'framework',
  texts: Readonly<Record<string, Text>>,
  priority: number,
): readonly PromptAtom[] {
  return Object.entries(texts).map(([name, [content, min]]) =>
    defineAtom(kind, {
      id: `${kind}/${name}`,
      priority,
      when: { [kind]: [name] },
      content,
      concise: opening(content),
      min,
    }),
  );
}

/** Every text above starts with the most important part, so its first half is the shorter form. */
function opening(content: string): string {
  const parts = content.split(/(?<=[.;]) /);
  return parts
    .slice(0, Math.ceil(parts.length / 2))
    .join(' ')
    .replace(/;$/, '.');
}

export const languageAtoms: readonly PromptAtom[] = [
  ...atomsOf('language', languages, 60),
  ...atomsOf('framework', frameworks, 50),
];

export const knownLanguages: readonly string[] = Object.keys(languages);
export const knownFrameworks: readonly string[] = Object.keys(frameworks);

import { describe, expect, test } from 'vitest';

import { matchesPattern, matchesTool, parseRule, ruleToText } from './rule.ts';

describe('a rule as text', () => {
  test.for([
    { text: 'shell', rule: { tool: 'shell' } },
    { text: ' shell(git status*) ', rule: { tool: 'shell', pattern: 'git status*' } },
    { text: 'shell()', rule: { tool: 'shell' } },
    { text: 'mcp.github:*', rule: { tool: 'mcp.github:*' } },
    { text: 'shell(echo (a) b)', rule: { tool: 'shell', pattern: 'echo (a) b' } },
    { text: 'shell(a\nb)', rule: { tool: 'shell', pattern: 'a\nb' } },
  ])('[N1] $text', ({ text, rule }) => {
    const parsed = parseRule(text, 'allow', 'user');

    expect(parsed).toEqual({ verdict: 'allow', origin: 'user', ...rule });
    expect(parsed && parseRule(ruleToText(parsed), 'allow', 'user')).toEqual(parsed);
  });

  test.for(['', 'two words', '(x)', 'shell(', 'shell)x('])('[N1] "%s" is none', (text) => {
    expect(parseRule(text, 'deny', 'user')).toBeUndefined();
  });
});

describe('a tool is matched', () => {
  test.for([
    { rule: '*', tool: 'anything', matches: true },
    { rule: 'read', tool: 'read', matches: true },
    { rule: 'read', tool: 'read_all', matches: false },
    { rule: 'git', tool: 'git_commit', matches: true },
    { rule: 'web', tool: 'web_fetch', matches: true },
    { rule: 'git', tool: 'gitlab', matches: false },
    { rule: 'mcp__*', tool: 'mcp__github__list', matches: true },
    { rule: 'mcp__*', tool: 'mcp', matches: false },
  ])('[N2] $rule, $tool: $matches', ({ rule, tool, matches }) => {
    expect(matchesTool({ verdict: 'allow', tool: rule, origin: 'user' }, tool)).toBe(matches);
  });
});

describe('a command or an address is matched as text', () => {
  test.for([
    { pattern: 'git status', subject: 'git status', matches: true },
    { pattern: 'git status', subject: 'git status -s', matches: false },
    { pattern: 'git *', subject: 'git push origin/main', matches: true },
    { pattern: 'git *', subject: 'git', matches: true },
    { pattern: 'git*', subject: 'gitk', matches: true },
    { pattern: 'git *', subject: 'gitk', matches: false },
    { pattern: 'git * --force', subject: 'git push --force', matches: true },
    { pattern: 'git * --force', subject: 'git push --force-with-lease', matches: false },
    { pattern: 'https://*.example.com/*', subject: 'https://a.example.com/b/c', matches: true },
    { pattern: 'https://*.example.com/*', subject: 'https://example.org/', matches: false },
    { pattern: 'a?c', subject: 'abc', matches: true },
    { pattern: 'a?c', subject: 'ac', matches: false },
    { pattern: 'say 👋*', subject: 'say 👋 you', matches: true },
    { pattern: '', subject: '', matches: true },
    { pattern: '*', subject: '', matches: true },
    { pattern: '', subject: 'a', matches: false },
  ])('[N3] $pattern, $subject: $matches', ({ pattern, subject, matches }) => {
    expect(matchesPattern(pattern, subject, 'text')).toBe(matches);
  });
});

describe('a path is matched by its parts', () => {
  test.for([
    { pattern: 'src/*.ts', subject: 'src/a.ts', matches: true },
    { pattern: 'src/*.ts', subject: 'src/a/b.ts', matches: false },
    { pattern: 'src/**', subject: 'src/a/b.ts', matches: true },
    { pattern: 'src/**', subject: 'srcs/a', matches: false },
    { pattern: 'src/**/*.ts', subject: 'src/a.ts', matches: true },
    { pattern: 'src/**/*.ts', subject: 'src/a/b.ts', matches: true },
    { pattern: 'src/**/*.ts', subject: 'src/a/b/c.ts', matches: true },
    { pattern: 'src/**/*.ts', subject: 'src/a/b/c.js', matches: false },
    { pattern: '**/.env*', subject: '.env', matches: true },
    { pattern: '**/.env*', subject: '/project/app/deep/.env.local', matches: true },
    { pattern: '**/.env*', subject: '/project/app/x.env', matches: false },
    { pattern: '**/secret/*/key', subject: '/a/secret/b/c/secret/d/key', matches: true },
    { pattern: 'a**/b', subject: 'ab', matches: false },
    { pattern: 'a/?/c', subject: 'a/b/c', matches: true },
    { pattern: 'a?c', subject: 'a/c', matches: false },
    { pattern: '/etc/*', subject: '/etc/passwd', matches: true },
    { pattern: '/etc/ *', subject: '/etc/', matches: false },
  ])('[N3][P8] $pattern, $subject: $matches', ({ pattern, subject, matches }) => {
    expect(matchesPattern(pattern, subject, 'parts')).toBe(matches);
  });

  test('[N4] in a time that no pattern can blow up', () => {
    const pattern = `${'**/*a*/'.repeat(12)}end`;
    const subject = `${'aaaa/'.repeat(200)}en`;
    const started = performance.now();

    expect(matchesPattern(pattern, subject, 'parts')).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

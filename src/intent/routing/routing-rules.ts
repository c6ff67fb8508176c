/**
 * Maps an intent to a persona and to verdicts on tools, as Datalog. The facts `verb`, `alias`, `persona`, `tool`
 * and `grants` come from the tables of verbs, tools and config atoms. `lead`, `asked`, `said`, `mode`, `read_only`
 * and `confirm` come from the turn. A project adds its own clauses in `.rondo/intent/*.mg`.
 */
export const routingRules = `
# Who serves the turn: the leading verb's persona; without one, coder for a change and general for the rest.
routed(V) :- verb(V, _, _, _).
persona_of(P) :- lead(V), verb(V, _, P, _).
persona_of(/coder) :- lead(V), said(/mutation), !routed(V).
persona_of(/general) :- lead(V), said(C), C != /mutation, !routed(V).

# Every step brings the persona it needs.
serves(P) :- persona_of(P).
serves(P) :- asked(V), verb(V, _, P, _).

# What the turn does.
action_type(/change) :- asked(V), verb(V, /mutation, _, _).
action_type(/look) :- asked(V), verb(V, /query, _, _).
action_type(/settle) :- asked(V), verb(V, /instruction, _, _).
changes_wanted() :- action_type(/change).
changes_wanted() :- said(/mutation).

# What it may use.
offers(T) :- serves(P), grants(P, T).
offers(T) :- asked(V), grants(V, T).

# What the gate does besides the standing rules. Denial: nothing may be changed, or nothing may run at all.
changing(/write).
changing(/execute).
changing(/unknown).
deny(T) :- tool(T, A), changing(A), read_only(), !harmless(T).
deny(T) :- tool(T, _), mode(/dream).
harmless(/run_tests).

# Asking: a question leads to no change by itself, a mass change or a revert is agreed first, and what this kind
# of turn does not use is not used silently.
ask(T) :- tool(T, /write), !changes_wanted(), !deny(T).
ask(T) :- tool(T, /write), confirm(_), !deny(T).
ask(/shell) :- confirm(/revert), !deny(/shell).
ask(T) :- tool(T, A), guarded(A), !offers(T), !deny(T).
guarded(/write).
guarded(/execute).
guarded(/unknown).
guarded(/network).
`;

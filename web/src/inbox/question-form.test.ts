import { expect, test } from 'vitest';

import { formFields, formValue, missingField } from './question-form.ts';

const schema = {
  properties: {
    name: { type: 'string', title: 'Name', description: 'As on the badge', minLength: 2, maxLength: 40 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    mail: { type: 'string', format: 'email', default: 'ada@example.org' },
    ok: { type: 'boolean', default: true },
    size: { enum: ['s', 'm'] },
    color: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }, { const: '#00f' }] },
    days: { type: 'array', title: 'Days', items: { enum: ['Mon', 'Tue', 'Wed'] }, default: ['Mon'] },
  },
  required: ['name', 'days'],
};

test('the fields of a form with what a browser checks of each', () => {
  expect(formFields(schema)).toEqual([
    {
      name: 'name',
      title: 'Name',
      hint: 'As on the badge',
      type: 'text',
      options: [],
      required: true,
      initial: '',
      input: { type: 'text', minlength: 2, maxlength: 40 },
    },
    {
      name: 'age',
      title: 'age',
      type: 'number',
      options: [],
      required: false,
      initial: '',
      input: { type: 'number', min: 0, max: 150, step: 1 },
    },
    {
      name: 'mail',
      title: 'mail',
      type: 'text',
      options: [],
      required: false,
      initial: 'ada@example.org',
      input: { type: 'email' },
    },
    {
      name: 'ok',
      title: 'ok',
      type: 'boolean',
      options: [],
      required: false,
      initial: true,
      input: { type: 'text' },
    },
    {
      name: 'size',
      title: 'size',
      type: 'text',
      options: [
        { value: 's', title: 's' },
        { value: 'm', title: 'm' },
      ],
      required: false,
      initial: '',
      input: { type: 'text' },
    },
    {
      name: 'color',
      title: 'color',
      type: 'text',
      options: [
        { value: '#f00', title: 'Red' },
        { value: '#00f', title: '#00f' },
      ],
      required: false,
      initial: '',
      input: { type: 'text' },
    },
    {
      name: 'days',
      title: 'Days',
      type: 'many',
      options: [
        { value: 'Mon', title: 'Mon' },
        { value: 'Tue', title: 'Tue' },
        { value: 'Wed', title: 'Wed' },
      ],
      required: true,
      initial: ['Mon'],
      input: { type: 'text' },
    },
  ]);
});

test('the answer has filled-in and default values as numbers, ticks and lists; empty fields are left out', () => {
  const fields = formFields(schema);
  expect(formValue(fields, { name: 'Ada', age: '36', color: '#00f', days: ['Mon', 'Wed'] })).toEqual({
    name: 'Ada',
    age: 36,
    mail: 'ada@example.org',
    ok: true,
    color: '#00f',
    days: ['Mon', 'Wed'],
  });
  expect(missingField(fields, {})).toBeUndefined();
  expect(missingField(fields, { days: [] })?.name).toBe('days');
});

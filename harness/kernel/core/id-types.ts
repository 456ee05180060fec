import type { CheckedIds } from './catalogue-ids.ts';

type RequirementId = keyof CheckedIds;

/** A row with a check for each value of an axis, or of the product of two. */
export type AxisRequirementId = {
  [Id in RequirementId]: CheckedIds[Id] extends string ? never : Id;
}[RequirementId];

/** The axis values of a row; for a product, both halves with a dot between. */
export type AxisValueOf<Id extends AxisRequirementId> = Id extends AxisRequirementId
  ? CheckedIds[Id][keyof CheckedIds[Id]] & string
  : never;

/** The rows whose values are all among these. */
export type RequirementOver<Value extends string> = {
  [Id in AxisRequirementId]: AxisValueOf<Id> extends Value ? Id : never;
}[AxisRequirementId];

/** The id of a check: that of its row, with `:<value>` if the row has an axis. */
export type CheckId = {
  [Id in RequirementId]: CheckedIds[Id] extends string
    ? Id
    : `${Id}:${CheckedIds[Id][keyof CheckedIds[Id]] & string}`;
}[RequirementId];

/** `responses` of `responses.bearer`; a single value itself. */
export type FirstOf<Value extends string> = Value extends `${infer First}.${string}`
  ? First
  : Value;

/** `bearer` of `responses.bearer`; never for a single value. */
export type SecondOf<Value extends string> = Value extends `${string}.${infer Second}`
  ? Second
  : never;

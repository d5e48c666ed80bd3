import { createContext, useContext } from 'react';

export type RowId = string | number;

/** What a row of a sortable list asks of its list. */
export type Order = {
  /** Counted from 1. */
  placeOf: (id: RowId) => number;
  /** Asks for the place a row should move to. */
  askPlace: (id: RowId) => void;
};

export const OrderContext = createContext<Order>({ placeOf: () => 0, askPlace: () => undefined });

export function useOrder(): Order {
  return useContext(OrderContext);
}

import t from 'tap';
import { contract } from '../../shared/contract.ts';
import { askCommunity } from './ask-community.ts';

// The gateway goes by the contract. Were it to open every call to everybody, the service must refuse all the same.
for (const route of Object.values(contract)) Object.assign(route, { access: 'all', publishToken: true });

await askCommunity(t);

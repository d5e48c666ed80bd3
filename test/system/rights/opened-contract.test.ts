import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunityRights } from '../../rights/ask-community.ts';

// The gateway reads permissions from the contract. Even if that permitted everything, the service must refuse calls itself.
for (const route of Object.values(contract)) Object.assign(route, { access: 'all', publishToken: true });

await testCommunityRights(t);

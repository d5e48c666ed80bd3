/**
 * Permissions for each call, written by hand and compared with the contract, with each service called directly, and with a
 * running product called through its gateway. Nothing here is read from the code, so that every change of a permission is
 * made here on purpose.
 *
 * Callers, in the order of the columns:
 *   visitor    not signed in
 *   member     a general user (role 0) where only administrators publish (PUBLISHERS=admins)
 *   publisher  a general user where members publish (PUBLISHERS=members), calling about another user's plugin
 *   owner      the same, about their own plugin
 *   admin      a general administrator (role 2), about another user's plugin
 *   super      a super administrator (role 1), about another user's plugin
 *   token      a publish token of the owner
 *
 * `ok`: permitted, whatever the call then answers. 401, 403, 404: the status of the refusal. `-`: not applicable, because
 * no service that accepts tokens handles the call.
 */
const TEXT = `
call                                                 access     visitor member publisher owner admin super token

# Browsing
GET    /api/cmt/plugin/list                          all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/list/facet                    all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/tag/list                      all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/tag                           all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/suggestion/list               all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin                               all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/publisher/news                all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/recommendation/list           all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/version/list                  all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/history                       all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/trending/list                 all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/similar                       all        ok      ok     ok        ok    ok    ok    401
POST   /api/cmt/plugin/view                          all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/media/{name}                         all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/package/{sha256}                     all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/changes                       all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin-banner/all                    all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/activity/activity/info               all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/community/featured                   all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/removed                       all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/sitemap/ranges                all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/sitemap                       all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/resource_state/active         all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/qr-code/contact                      all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/log                           all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/publisher                            all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/publisher/plugin/list                all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/publisher/sitemap                    all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/log/head                      all        ok      ok     ok        ok    ok    ok    401
GET    /.well-known/plugin-square/keys.json          all        ok      ok     ok        ok    ok    ok    401

# What is not public: a plugin that waits for its first review
GET    /api/cmt/plugin?waiting                       all        404     404    404       ok    ok    ok    401

# Signed-in users
POST   /api/cmt/plugin/user                          user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/plugin/user                          user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/plugin/user/successor                user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/plugin/user/hold                     user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/user/update_age               user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/plugin/user/update_age               user       401     ok     ok        ok    ok    ok    401
DELETE /api/cmt/plugin/user                          user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/plugin/user/praise                   user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/plugin/user/new/silent               user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/user/list                     user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/user/package                  user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/user/state                    user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/liked                         user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/statistics                    user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/statistics?one                user       401     403    403       ok    ok    ok    401
GET    /api/cmt/plugin/statistics/insights           user       401     ok     ok        ok    ok    ok    ok
GET    /api/cmt/plugin/statistics/insights?one       user       401     403    403       ok    ok    ok    ok
GET    /api/cmt/plugin/statistics/export             user       401     ok     ok        ok    ok    ok    ok
GET    /api/cmt/plugin/statistics/export?one         user       401     403    403       ok    ok    ok    ok
GET    /api/cmt/plugin/audit                         user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/plugin/report                        user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/publisher/report                     user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/plugin/report/list                   user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/notice/list                          user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/notice/count                         user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/notice/read                          user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/notice/preferences                   user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/notice/preferences                   user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/follow                               user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/follow                               user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/follow/list                          user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/list                      user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/collection                           all        ok      ok     ok        ok    ok    ok    401
POST   /api/cmt/collection                           user       401     ok     ok        ok    ok    ok    401
DELETE /api/cmt/collection                           user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/collection/plugin                    user       401     ok     ok        ok    ok    ok    401
PUT    /api/cmt/collection/order                     user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/collection/install                   user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/collection/report                    user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/editors/list              all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/editors                   all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/public/list               all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/with/list                 all        ok      ok     ok        ok    ok    ok    401
GET    /api/cmt/collection/sitemap                   all        ok      ok     ok        ok    ok    ok    401
POST   /api/cmt/user/avatar                          user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/user/holdings                        user       401     ok     ok        ok    ok    ok    401
POST   /api/cmt/user/export                          user       401     ok     ok        ok    ok    ok    401
GET    /api/cmt/manager/verify                       user       401     ok     ok        ok    ok    ok    401

# Publishing
POST   /api/cmt/plugin                               publisher  401     403    403       ok    ok    ok    ok
PUT    /api/cmt/plugin                               publisher  401     403    403       ok    ok    ok    ok
DELETE /api/cmt/plugin                               publisher  401     403    403       ok    ok    ok    401
PUT    /api/cmt/plugin/version                       publisher  401     403    403       ok    ok    ok    401
GET    /api/cmt/plugin/deprecation                   publisher  401     403    403       ok    ok    ok    401
PUT    /api/cmt/plugin/deprecation                   publisher  401     403    403       ok    ok    ok    401
GET    /api/cmt/plugin/edit                          publisher  401     403    403       ok    ok    ok    401
GET    /api/cmt/publisher/profile                    publisher  401     403    ok        ok    ok    ok    401
PUT    /api/cmt/publisher/profile                    publisher  401     403    ok        ok    ok    ok    401
GET    /api/cmt/publisher/verification               publisher  401     403    ok        ok    ok    ok    401
PUT    /api/cmt/publisher/verification               publisher  401     403    ok        ok    ok    ok    401
POST   /api/cmt/publisher/verification/check         publisher  401     403    404       404   404   404   401
DELETE /api/cmt/publisher/verification               publisher  401     403    ok        ok    ok    ok    401
POST   /api/cmt/plugin/description/preview           publisher  401     403    ok        ok    ok    ok    401
GET    /api/cmt/plugin/publish-rules                 publisher  401     403    ok        ok    ok    ok    401
POST   /api/cmt/plugin/token                         publisher  401     403    404       ok    ok    ok    401
GET    /api/cmt/plugin/token/list                    publisher  401     403    ok        ok    ok    ok    401
DELETE /api/cmt/plugin/token                         publisher  401     403    404       ok    404   404   401

# The backstage
POST   /api/cmt/manager/plugins/upload               publisher  401     403    ok        ok    ok    ok    401
GET    /api/cmt/manager/publish_token/list           admin      401     403    403       403   403   ok    401
GET    /api/cmt/manager/publish_token/count          admin      401     403    403       403   403   ok    401
DELETE /api/cmt/manager/publish_token                admin      401     403    403       403   403   ok    401
DELETE /api/cmt/manager/publish_token/all            admin      401     403    403       403   403   ok    401
POST   /api/cmt/manager/plugins/match                publisher  401     403    ok        ok    ok    ok    401
GET    /api/cmt/manager/publisher/report/list        admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/publisher/report             admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/publisher/profile            admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/publisher/verified/list      admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/publisher/verified           admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/report/list                  admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/search/missed                admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/report                       admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/collection/list              admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/collection/hidden            admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/collection/editors/list      admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/collection/editors           admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/collection/editors/order     admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/collection/editors           admin      401     403    403       403   ok    ok    401
GET    /api/cmt/plugin/audit/list                    admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/plugin/audit                 admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/plugin/audit/code            admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin/audit/claim           admin      401     403    403       403   ok    ok    401
POST   /api/cmt/plugin/audit/status                  admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/plugin/list                  admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin/hidden                admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin/withdrawn             admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/publisher/withdrawn          admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/publisher/withdrawn          admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/withdrawal/proposal/list     admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/withdrawal/proposal          admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/withdrawal/proposal          admin      401     403    403       403   ok    ok    401
POST   /api/cmt/plugin/recommendation/publish        admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin/recommendation/order  admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/plugin/silent_install                admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/kit/list                     admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/kit                          admin      401     403    403       403   ok    ok    401
POST   /api/cmt/manager/kit                          admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/kit                          admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/kit/plugin                   admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/kit/order                    admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/plugin/{key}/download        admin      401     403    403       403   ok    ok    401
POST   /api/cmt/plugin/resource_state                admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/plugin/resource_state                admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/plugin/resource_state/disable        admin      401     403    403       403   ok    ok    401
GET    /api/cmt/plugin/resource_state/list           admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/plugin-banner/list           admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin-banner                admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/plugin-banner                admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin-banner/order          admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/tag/list                     admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/tag                          admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/tag/order                    admin      401     403    403       403   ok    ok    401
POST   /api/cmt/manager/tag/merge                    admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/tag                          admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/community/featured/list      admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/community/featured           admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/community/featured           admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/community/featured/order     admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/activity                     admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/activity                     admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/activity                     admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/checklist                    admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/mark/list                    admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/mark                         admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/mark/order                   admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/mark                         admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/plugin/mark                  admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/qr-code/list                 admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/qr-code                      admin      401     403    403       403   ok    ok    401
DELETE /api/cmt/manager/qr-code                      admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/audit-trail/list             admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/audit-trail/export           admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/statistics                   admin      401     403    403       403   ok    ok    401
GET    /api/cmt/manager/space-setting/iconfont       admin      401     403    403       403   ok    ok    401
PUT    /api/cmt/manager/space-setting/iconfont       admin      401     403    403       403   ok    ok    401
POST   /api/cmt/manager/space-setting/iconfont/test  admin      401     403    403       403   ok    ok    401
GET    /api/cmt/srv/config/pexels                    admin      401     403    403       403   ok    ok    401
POST   /api/cmt/srv/config/pexels                    admin      401     403    403       403   ok    ok    401
POST   /api/cmt/srv/config/pexels/test               admin      401     403    403       403   ok    ok    401

# The help center
GET    /api/helpcenter/category/list                 all        ok      ok     ok        ok    ok    ok    401
GET    /api/helpcenter/article/list                  all        ok      ok     ok        ok    ok    ok    401
GET    /api/helpcenter/article/search                all        ok      ok     ok        ok    ok    ok    401
GET    /api/helpcenter/article/{id}                  all        ok      ok     ok        ok    ok    ok    401
GET    /api/helpcenter/user/admininfo                user       401     ok     ok        ok    ok    ok    401
POST   /api/helpcenter/upload/picture                admin      401     403    403       403   ok    ok    401
GET    /api/helpcenter/manager/category/list         admin      401     403    403       403   ok    ok    401
POST   /api/helpcenter/manager/category              admin      401     403    403       403   ok    ok    401
PUT    /api/helpcenter/manager/category              admin      401     403    403       403   ok    ok    401
DELETE /api/helpcenter/manager/category              admin      401     403    403       403   ok    ok    401
PUT    /api/helpcenter/manager/category/order        admin      401     403    403       403   ok    ok    401
GET    /api/helpcenter/manager/article/list          admin      401     403    403       403   ok    ok    401
GET    /api/helpcenter/manager/article/{id}          admin      401     403    403       403   ok    ok    401
POST   /api/helpcenter/manager/article               admin      401     403    403       403   ok    ok    401
PUT    /api/helpcenter/manager/article               admin      401     403    403       403   ok    ok    401
DELETE /api/helpcenter/manager/article               admin      401     403    403       403   ok    ok    401
PUT    /api/helpcenter/manager/article/order         admin      401     403    403       403   ok    ok    401
POST   /api/helpcenter/manager/article/preview       admin      401     403    403       403   ok    ok    401

# The sign-in page
GET    /user/page/options                            all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/sso                                all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/third_party                        all        ok      ok     ok        ok    ok    ok    -
GET    /user/sso/{source}/callback                   all        ok      ok     ok        ok    ok    ok    -
POST   /user/sso/{source}/callback                   all        ok      ok     ok        ok    ok    ok    -
GET    /user/sso/{source}/metadata                   all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/sign_in                            all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/second_factor                      all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/second_factor/finish               all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/sign_up                            all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/sign_up/finish                     all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/password_reset                     all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/password                           all        ok      ok     ok        ok    ok    ok    -
POST   /user/page/password/second_factor             all        ok      ok     ok        ok    ok    ok    -

# Accounts
GET    /user/account/email                           user       401     ok     ok        ok    ok    ok    -
GET    /user/account/mails                           user       401     ok     ok        ok    ok    ok    -
PUT    /user/account/mails                           user       401     ok     ok        ok    ok    ok    -
POST   /user/account/mails/unsubscribe               all        ok      ok     ok        ok    ok    ok    -
POST   /user/account/email/link                      user       401     ok     ok        ok    ok    ok    -
POST   /user/account/email/verify                    user       401     ok     ok        ok    ok    ok    -
POST   /user/account/email/change                    user       401     ok     ok        ok    ok    ok    -
GET    /user/account/proof                           user       401     ok     ok        ok    ok    ok    -
GET    /user/account/deletion                        user       401     ok     ok        ok    ok    ok    -
POST   /user/account/delete                          user       401     ok     ok        ok    ok    ok    -
GET    /user/account/password                        user       401     ok     ok        ok    ok    ok    -
PUT    /user/account/password                        user       401     ok     ok        ok    ok    ok    -
GET    /user/account/linked/list                     user       401     ok     ok        ok    ok    ok    -
POST   /user/account/linked/remove                   user       401     ok     ok        ok    ok    ok    -
GET    /user/account/enterprise/list                 user       401     ok     ok        ok    ok    ok    -
GET    /user/session/list                            user       401     ok     ok        ok    ok    ok    -
POST   /user/session/sign_out                        user       401     ok     ok        ok    ok    ok    -
POST   /user/session/sign_out_others                 user       401     ok     ok        ok    ok    ok    -
GET    /user/tool/list                               user       401     ok     ok        ok    ok    ok    -
POST   /user/tool/disconnect                         user       401     ok     ok        ok    ok    ok    -
GET    /user/account/second_factor                   user       401     ok     ok        ok    ok    ok    -
POST   /user/account/second_factor/begin             user       401     ok     ok        ok    ok    ok    -
POST   /user/account/second_factor/confirm           user       401     ok     ok        ok    ok    ok    -
POST   /user/account/second_factor/recovery_codes    user       401     ok     ok        ok    ok    ok    -
POST   /user/account/second_factor/remove            user       401     ok     ok        ok    ok    ok    -

# Members
GET    /user/member/list                             admin      401     403    403       403   403   ok    -
GET    /user/member/change/list                      admin      401     403    403       403   403   ok    -
PUT    /user/member/role                             admin      401     403    403       403   403   ok    -
PUT    /user/member/disabled                         admin      401     403    403       403   403   ok    -
POST   /user/member/sign_out                         admin      401     403    403       403   403   ok    -
POST   /user/member/second_factor/remove             admin      401     403    403       403   403   ok    -
POST   /user/member/password_link                    admin      401     403    403       403   403   ok    -
POST   /user/member/invitation                       admin      401     403    403       403   403   ok    -
# Tools that may ask for access
GET    /user/tool/client/list                        admin      401     403    403       403   ok    ok    -
GET    /user/tool/client/change/list                 admin      401     403    403       403   ok    ok    -
POST   /user/tool/client                             admin      401     403    403       403   ok    ok    -
PUT    /user/tool/client                             admin      401     403    403       403   ok    ok    -
POST   /user/tool/client/remove                      admin      401     403    403       403   ok    ok    -
GET    /user/tool/request/{uid}                      user       401     ok     ok        ok    ok    ok    -
POST   /user/tool/request/{uid}                      user       401     ok     ok        ok    ok    ok    -
POST   /user/device/read                             user       401     ok     ok        ok    ok    ok    -
POST   /user/device/answer                           user       401     ok     ok        ok    ok    ok    -

# The gateway itself
GET    /api/auth/session                             all        ok      ok     ok        ok    ok    ok    -
GET    /api/auth/login                               all        ok      ok     ok        ok    ok    ok    -
GET    /api/auth/callback                            all        ok      ok     ok        ok    ok    ok    -
POST   /api/auth/logout                              all        ok      ok     ok        ok    ok    ok    -
GET    /api/auth/userinfo                            user       401     ok     ok        ok    ok    ok    -
PUT    /api/auth/profile                             user       401     ok     ok        ok    ok    ok    -
POST   /api/auth/bind                                user       401     ok     ok        ok    ok    ok    -
POST   /api/auth/bind/read                           user       401     ok     ok        ok    ok    ok    -
POST   /api/auth/bind/begin                          user       401     ok     ok        ok    ok    ok    -
POST   /api/auth/third-party/{source}                all        ok      ok     ok        ok    ok    ok    -
# An enterprise that they are no member of.
POST   /api/auth/enterprise                          user       401     403    403       403   403   403   -
GET    /api/auth/login-code                          user       401     ok     ok        ok    ok    ok    -
POST   /api/collect                                  all        ok      ok     ok        ok    ok    ok    -
GET    /api/protocol                                 all        ok      ok     ok        ok    ok    ok    -
GET    /api/developer-docs                           all        ok      ok     ok        ok    ok    ok    -
GET    /api/docs                                     all        ok      ok     ok        ok    ok    ok    -
GET    /api/openapi.json                             all        ok      ok     ok        ok    ok    ok    -
`;

export const CALLERS = ['visitor', 'member', 'publisher', 'owner', 'admin', 'super', 'token'] as const;
export type CallerName = (typeof CALLERS)[number];
export type Outcome = 'ok' | '401' | '403' | '404' | '-';

export type Right = {
  /** Method and path as in the contract. */
  call: string;
  /** The part after `?` in the table: another case of the same call. */
  variant: string | undefined;
  access: string;
  outcomes: Readonly<Record<CallerName, Outcome>>;
};

const OUTCOMES: readonly string[] = ['ok', '401', '403', '404', '-'] satisfies Outcome[];

function isOutcome(word: string | undefined): word is Outcome {
  return word !== undefined && OUTCOMES.includes(word);
}

/** @throws Error for an invalid line */
function readLine(line: string): Right {
  const [method = '', address = '', access = '', ...words] = line.split(/\s+/);
  const [path = '', variant] = address.split('?');
  const outcomeOf = (caller: CallerName): Outcome => {
    const word = words[CALLERS.indexOf(caller)];
    if (!isOutcome(word)) throw new Error(`No outcome for ${caller}: ${line}`);
    return word;
  };
  if (words.length !== CALLERS.length) throw new Error(`Not ${CALLERS.length} outcomes: ${line}`);
  return {
    call: `${method} ${path}`,
    variant,
    access,
    outcomes: {
      visitor: outcomeOf('visitor'),
      member: outcomeOf('member'),
      publisher: outcomeOf('publisher'),
      owner: outcomeOf('owner'),
      admin: outcomeOf('admin'),
      super: outcomeOf('super'),
      token: outcomeOf('token'),
    },
  };
}

export const RIGHTS: readonly Right[] = TEXT.split('\n')
  .slice(2)
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(readLine);

/** Describes an answer that contradicts the table; empty if it is right. */
export function contradictionOf(
  caller: CallerName,
  expected: Outcome,
  { status, text, isRefused }: { status: number; text: string; isRefused: boolean },
): string[] {
  const isRight = expected === 'ok' ? !isRefused : status === Number(expected);
  return isRight ? [] : [`${caller} expects ${expected}: ${status} ${text.slice(0, 120)}`];
}

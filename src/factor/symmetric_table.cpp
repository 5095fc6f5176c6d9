#include "factor/symmetric_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string_view>

namespace cairn::factor {
namespace {

// Positions by letter; the lower triangle row after row, or all rows where the pattern is not symmetric itself.
constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";

struct Entry {
  int positions;
  int classes;
  bool is_symmetric;
  std::string_view cells;
};

constexpr std::array table = {
    Entry{2, 3, true, "111000"},                                                     // z = 1.67, load 1.11
    Entry{3, 3, true, "002121"},                                                     // z = 2.00, load 1.00
    Entry{4, 8, true, "333333333312111020020121112102002020"},                       // z = 2.38, load 1.00
    Entry{5, 7, true, "1134334040112011020204334223"},                               // z = 2.71, load 1.02
    Entry{6, 6, true, "444342152530355102102"},                                      // z = 3.00, load 1.00
    Entry{7, 7, true, "0016120023411344522456563356"},                               // z = 3.00, load 1.00
    Entry{8, 9, true, "356557064602701355411324424202701121367673376"},              // z = 3.33, load 1.09
    Entry{9, 9, true, "555334867811424554645867826811771070333220200"},              // z = 3.56, load 1.11
    Entry{10, 10, true, "6508146117893288087875937377603220305511245256946949644"},  // z = 3.80, load 1.10
    Entry{11, 9, true, "17585a15532483329a922146146489a98a00776336007"},             // z = 4.00, load 1.09
    Entry{12, 9, true, "12616322aa87347503b35171b7bb80aa8090566445999"},             // z = 4.00, load 1.04
    Entry{13, 13, true,
          "001c12002341134452245a5633564b674467c5c7855780060896689a11719a779aab2282ab88abcbc3393b"
          "c99bc"},  // z = 4.00, load 1.00
    Entry{14, 13, true,
          "c162dd7dddc8dd87057aa113baaa202b90b276379739628248aa264c65bc5bb66c115495199454c0348030"
          "38c48"},  // z = 4.31, load 1.08
    Entry{15, 13, true,
          "2225d55caa3e711bb797b8daa14d8dd9e9de3c0c344038c7c7788c8bb011b100605e55e44e466522a939a9"
          "36662"},  // z = 4.54, load 1.07
    Entry{
        16, 12, true,
        "96c2bd66d79f5f98f8ff32a21a334cdd433d6a565ea004bb74e24e78c87581c57c9bb19e100e10"},  // z = 4.83, load 1.11
    Entry{17, 15, true,
          "12b37g1dgd1ba1ef77c6cfb55bf01771170722gg665928e55e45e588dadaff998a22acac0024a48bggb4b9"
          "g884b3e3cecf99efc933d3d660064d0436"},                                     // z = 4.87, load 1.06
    Entry{18, 10, true, "4447gc25fd2bc2ch535816ggae11h0ffehed707a88a096b3db36d99"},  // z = 5.00, load 1.08
    Entry{19, 15, true,
          "64f2ebgee52f25h60b6006fb6f6644755d95c07a00i70gf7g38f77344iahdi4a3dc1b53bb5c333ceeeh899"
          "c8hc8212a2899a8a198g1ighdidigd1h1h"},  // z = 5.13, load 1.01
    Entry{20, 15, true,
          "j6ej58bej7a55a5gc877cbcibic066977716ae82a411260525d0644a08a380f80fjhjjhd111d3dgeieigif"
          "edfdigc923gc92233g3bh9bh4b944fhf9h"},  // z = 5.40, load 1.07
    Entry{21, 21, true,
          "ifj9gkiah0ijbi1ejkcj2ffk0dk3egg01e04ffhh12f15iggii23g267jhhjj34h37i8kiikk45i489j90jj00"
          "56j597aka1kk1167k6a78b0b200227807b989c1c311338918c9a9ad2d422449a29deababe3e53355ab3aef"
          "fbcbcf4f64466bc4bf7ggcdcdg5g75577cd5cge8hhdedeh6h86688de6dh"},  // z = 5.00, load 1.00
    Entry{22, 17, true,
          "66e66l6263hel3ec9l8l8c2g2ic2cef0ecae75lbllaab69d339aaad4edbe11kbdk7jf8i8if7j47h2d2h12f5d"
          "df545g33cgk53k45549f0i9i0b94if497jg0i1107j171g00hjg8h8gkbjk8hkbjh"},  // z = 5.71, load 1.07
    Entry{23, 17, true,
          "6jm9lcjjckdmkkk65kkkkall23hl9g92g822a5ff05a106llimbl116d4ffdb38fbbdgccdhh111d1949i0hh90i"
          "4heamccm8a8am8cemjjfjgb3gfbbgeee757i35385i37i83i6472062206474ee70"},  // z = 5.71, load 1.11
    Entry{24, 15, true,
          "nhbli7mb7beb0b6af010cn301013a3lm8a33lcl99cjl2eh51e51d22aii99g4a9dghhkk8gj8jhggnckk6fnd"
          "cddknmi5m654mj5ij66ef77ef482248f47"},  // z = 5.93, load 1.07
    Entry{
        25, 12, true,
        "5a5lnm8oid8nn8f9eh21maam0bmd93ii49c6lel04e04jko7o11ccjj5572b2b6g76k3hdfhd3gkgf"},  // z = 6.00, load 1.04
    Entry{26, 13, true,
          "i38illipi578c9dk1c5cck80a8kf7php7j6hbm0enj0jjo12ed166e6omh99gfhmogbll5d5f4bdf4332anga4"
          "n2g4n"},  // z = 6.00, load 1.08
    Entry{27, 13, true,
          "354iae8le13fece8468d83lml37pi2icchkcgaa1nh1h155m9ddm0bmg4jqp4p0g0po2j9n772n9j9of6qf6kk"
          "bbqo6"},  // z = 6.23, load 1.12
    Entry{28, 16, true,
          "a8819188380ecocrl94dkg99i69i0fho0dpqajjoo4non1l126l6q71rfh4646q4qqbjjiddidj2bigfc2ckgf"
          "72f2kre33erpp77r575glhm0ln0nmh5g5nae3mekppambbk3ma"},  // z = 6.44, load 1.09
    Entry{29, 18, true,
          "gsbssqa1d23lddji1q1k97h4rlplahna99hhg6dddpp86a6qajqma6mi00c99798m7fb4ckk4f66ckgh42kkmh"
          "gmm4e3bqr35r88q8b55glncl5lngocc55o30023ppfpo0f23o0issrjirfejiferooi71n2j17nej7bebn2e"
          "1"},  // z = 6.50, load 1.07
    Entry{30, 13, true,
          "732henr4na70gs7m292f2338qff1rk8rll8lmkpqcmqkph1hsso1jbo54g4gi5tpo5d09n096tbbtddeeaci6j"
          "cji6a"},  // z = 6.77, load 1.07
    Entry{31, 31, true,
          "u706817792u88a34099b4q51aac56r62bbd677s73cce7488t84ddf8u599u95eeg9606aa0a6ffha7717bb1b7g"
          "gibk8828cc2c8hhjckl9939dd3d9iikd4lmaa4aee4eajjlek5mnbb5bff5fbkkmf6l6nocc6cgg6gcllng77m7o"
          "pdd7dhh7hdmmohq88n8pqee8eii8iennpiqr99o9qrff9fjj9jfooqjkrsaaparsggagkkakgpprkqlstbbqbsth"
          "hbhllblhqqslurmtuccrctuiicimmcmirrtmu0snu0ddsdu0jjdjnndnjssunk01to01eete01kkekooeoktt0ou"
          "l12up12ffuf12llflppfpluu1pq0m230q23gg0g23mmgmqqgqm002q4r1n341r34hh1h34nnhnrrhrn113r45s2o"
          "452s45ii2i45ooiossiso224s656t3p563t56jj3j56ppjpttjtp335t"},  // z = 6.00, load 1.00
    Entry{32, 17, true,
          "7kqucc0a24m9nd6vq2ddqk13o9i3uaup6ii6b1226216emanamiiajjb9fo9598b5bkkfphsksetft0cc4dd18rt"
          "8tt7lnonsosrnosr70lu0h5gue55e0lg7qfpmqgprmfpr7ggvl34hv38jj8h4lhvj"},  // z = 6.88, load 1.11
    Entry{33, 19, true,
          "ldgddolao6lgelen6r65jsv9fqjjlk9l2391smootbs1sdddf55f3t3ngoi0nf4offck9i0b9kbpikuara0rv1"
          "1h00vc6e6e6j11hwchhwkr7q5q4m54krwqum8i2jj2mhiiuhmmnve7tnv2ttnpve72pcg87g3s3s3gcuc7u7uw"
          "a8aqbq4bp4paww8p84"},  // z = 7.00, load 1.10
    Entry{34, 14, true,
          "r25tm1q5c4un34u9avj4a9khwf9drrvofvfr22c5ispecxnhonlhog7x61wbsw0sx1u63d3ldeel6dqmmqbap7"
          "p7b8atktjijk0ig088g"},  // z = 7.21, load 1.04
    Entry{35, 15, true,
          "brxpfmb56yp5p55ewhg99rrna8drexky3ejecimo3dd3ilsko21qkoqlffa99avtll0ingugnjij7u0x66212x"
          "t1t00bwmbuwqvmqvu44cshy8h8ycs77448"},  // z = 7.13, load 1.09
    Entry{36, 15, true,
          "ggse1o2111ywfvv2xb29xgghin50tjorn3n7twhkwmhthdluzvm07m7ajfvfx0j60xysuiy3i38ucsalbrqbpr"
          "8la8be4ez99p76z6spzd4okq55okdccq4q"},  // z = 7.27, load 1.12
    Entry{37, 20, true,
          "ta13mf3wu2ldr5gt1uu703a33gb3jerirbbrjs6550yj0hs4uhubbshve4AgzgeA4Ax1cA779cAxAclmm2lzp8"
          "pkz88xwmng0giqxoxmmhwcwhzycyhzczwwaaf550ajjko9k0fav16il1yiqkv1liykktd62dty86so88o2o6ov"
          "efn77pepsv7pnffvsntdrndt9rq4492q29qdn9"},  // z = 7.55, load 1.11
    Entry{38, 19, true,
          "ip1z0t55eAppkAAn00hdhz1z4uc4ppt6ddwd55j53avbgiqj88cc6jixykfknwwgxgn7263nl636nloykhkhvB"
          "vqy7hzyzAAalbbqylqlmreerauwacwmoacm1jf3s1B3jfmB9m1xr24rs4Bbxx2Bbrs4o0t880vtv8f2o9of2ti"
          "7eeusudgig779u9s9g"},  // z = 7.58, load 1.05
    Entry{39, 19, true,
          "s4wph5su5A9ceteaa60bf3g6yc6dpwp010mCaary1ad1d9hhx9lmmlj3urubo3Crj7zgkttfgCvzCCpnpsi0i0"
          "vjjvjzneyeoy8yzozne4wkAbbmwrmrkBBw9u2ttfdqd9ufBBBf3nhA166q1h3gn8AqAsc55clc8ll7ks8k2874"
          "42xioiqvx7vio42q7x"},  // z = 7.68, load 1.08
    Entry{40, 19, true,
          "kkkjjd6c1okkdxAm32D5360C6vsym3Cbz343jjjxxwh8p675655y47ymc11nmhmheeir11Aw44w4lAarfxvsvB"
          "xvfrBgcgczsszptcusta7dbd20b7eeuauuir2bn2qbpqnlrp2pi0fonD088tfift0i8g9gDADqBhqhABg9qDBa"
          "9CozwyCwyllaz9lo9o"},  // z = 7.79, load 1.11
    Entry{41, 15, true,
          "t2fmiivjeynuD6blfee5l22ik8AkvEBv8f8rnEdqn3oEacjDjD9srog0u1q55Cxqggmhmy73sx3sxytw1669k4"
          "p91ptchdzblC4dcCh4b0wBz7AABar07wza"},  // z = 7.87, load 1.09
    Entry{42, 15, true,
          "u2fvFBxmBBhf9trdf6ca0vDvzq8kj21psokkuFlcsc3sujeCzaazjAE4D65t6DnAAtxe9x90qngen04mCmro3o"
          "3Cbirhwl5h88plE5iiEdw177dy1gybgbw7"},  // z = 8.00, load 1.12
    Entry{43, 20, true,
          "qjdq7eAiyns3zrBwdyyrdwl1A3wljje0ppa0qCqAFFAhtvdEnhdfhhfs77msbkbkomx6ziz9kxkvkDgCE8Bb8b"
          "CEbDDsjGms9fjcfmDDfg6yyFFaaFoo6g2243en393eCno9C9onxl1rrrlxtEuxE22ulv6G8pp8ptvmv8G64tt4"
          "710z510c57zgcg4140wiGiB5wac5uiBcauuG5B"},  // z = 8.05, load 1.07
    Entry{44, 20, true,
          "ql90gm1immxhmmrlggprHbibi4ss87oz4D4Dx9adxHyzywhaj4jk4af8hFphpB8dhcllo3tlyoyk3yq9A62DeD"
          "9e332w7A6GHBwHwBt6HqCAirrizzfc5qAqbCbpxubvxfpu66ff17F12ss7aaF5275v28CFjtjB8njBtEtCCFE0"
          "g0dGgkvdkdkEG5v5EE0no1GueonecueGcu1n0c"},  // z = 8.20, load 1.10
    Entry{45, 16, true,
          "xbHt4qzeyibb95BpvDahAtwt70G6jw12k2w23egeEgsfg8mDiBD6uBi8CqI0A0ff8qzm9z9asnsmAa3HdIhhdn"
          "3cIndxv17Ev71ExFrHxjCyykGGjocCrcrkp4455p6uouFllFol"},  // z = 8.31, load 1.05
    Entry{46, 16, true,
          "B47877uk3lypaIFzrwtiiAeA5b6Aoqw5vw5jomala66odupGup0cjJjhm2EF0Dfm0F4433vxDvsGDGzq9Eyzgq"
          "sgEsgBk2kbxbHJJ2xCB8e8tnteflnf1CCnhr9IIrcHdch19H1d"},  // z = 8.25, load 1.08
    Entry{47, 16, true,
          "ub3upuisq1n2y8c7fH88IifyiyfD53qqvB03FsGszIxjIn4Jk4Exhxa5ppmd965AeeCgwrdEDjjEdDCaHmcH00"
          "KamCcFgJ1zBtBAJAgl172Gr276hGh6rllobbwkv9tvKk9wKtoo"},  // z = 8.31, load 1.10
    Entry{48, 23, true,
          "G70Gbu5jI3K7I3tyguwnd5c45BnhkcIII2c2sxAttpJFxy0Ctty4Dtqk0AwBpBkJ0B8x13Kp46pqp6GjGjldJ6"
          "JEJ6lkbbIadiksqkqdi814w9d4LL4m8d9r5xC5a252xEmxEamm711vnnn6sDe16smmn8cAvlgccAaA8la8avgG"
          "HG332i2HEe3EirEerH7jujfuBFFqBqjfrz7rr7sgChfghLLCeoofLCsgefCKHbhKwhDHDwKlbwzDlHzhby0uv9"
          "yiFFy0oo99zvviuozo"},  // z = 8.65, load 1.09
    Entry{49, 21, true,
          "AjMjjzl5J1F5JJxlq3lG62Mz1GKdi47DfKo4FrmtF6E8vky7tGGG7taBMpDCbMDvpMAumhcKKKmeemkunDxHE8"
          "8kDuxBqJJx6oo6aBLxLBy3hC3d88yChgBg2r30C327r7CLgLg2kqp1Fq1iFkpuuqI91A5n55bosttbAnoI0Isi"
          "rzHfHzireeeHwIwiIzjyjhfbEsEabhEay99sfal4n0cld4vcvcnwd090w94"},  // z = 8.62, load 1.11
    Entry{50, 17, true,
          "oEakF4rtermtftmknkLJJ124v7yyoacCquDGNB8AsJDDJNFF0M3yGNG1Hxrs31os3r6nfCfnpCjlgzEExAduduAl"
          "xld5a80qipq80hpwhb2eeMI2zbMhzwwb6BcL7L7cBGgg9i6i5H4vmIvKjKHj95I9K"},  // z = 8.88, load 1.04
    Entry{51, 17, true,
          "uurGlxCuI7CrgCOc9gogpirs7NH7ixxvkpiJGAGLjd2jj5qMLkh0kL04ll1zHHt3bz4fnvEB2v2B4B59s1E9sKD5"
          "1E8efMoyowJ3M3f8w6qnayd0tdqtn8y6cmmaNcNpDbbFDJameAIIOhwKAhzFKe6FO"},  // z = 8.88, load 1.06
    Entry{52, 17, true,
          "cwzjM7aMy6CoOtCuzyyvzww1HCP8jrjGnskKcN7G09DG72NAlvvkkNx4m3BdPPLfmm4JO6OIDKDb46aJFadsEspx"
          "dJxei5H05HL0bLbq5urAttuErfAfhqqE2iFBn91n92BhFihgeo3loI8Kpl3Ipe8gg"},  // z = 8.82, load 1.08
    Entry{53, 17, true,
          "x9wxgiNaPk8aHabLn3Jcc8tKE8rqN63N43q7e6KhvCK6fyw1hbrr5hbQImkdCBqCOkQwiz4sA4FGQiun1zpnB721"
          "Bz799PPvsMjvOOsMMuggEdLEffGdGuoleIHDH0A525IA2oo0ytmDpJtjFymFpjlDl"},  // z = 8.88, load 1.10
    Entry{54, 17, true,
          "P9qCogvm4e5qhdqCcCxGKikHbwKKNkIE0MkI6n44JMrMFPnHddyHAnP1BjbGGbL1z35ooe58tO8u286sfxDxrLrD"
          "LlsNBhQhaFAFABllQicgEJciEJu2u7pg99jewawORzjO7a7zvmfm0yt0Ry3tfppR3"},  // z = 9.06, load 1.12
    Entry{55, 18, true,
          "tcjCBCLRnOLKQLftoAO5tccqxMHMEjAa6AJpueIafHH1bdjq460q6ajNBBxK2xmbspdKz4lOSld4FlCe3kr08p"
          "e0ph8wg39PmD11ymg3guvz955JJussz898wvnnrtMGb7FFrwvbNoIkPoSGIyNSkPiGyERQRQ2DEf72hhDi7i"
          "f"},  // z = 9.39, load 1.02
    Entry{56, 18, true,
          "c4KI66Dm77cM3NsuSFiJileFp1F2CjdNNEpp44T0JJtrzCK3y3B5Caauhq7quRO0oqcmkmQB29LB2nP6dy1H1d"
          "LyALnGebxsseOzKOnnsGjTwgHRjT8R8HG8lMbwMil90oo9PbwPDSkDgS5rr5AkAzgfzIhIxQEtEtahQvxvff"
          "v"},  // z = 9.39, load 1.04
    Entry{57, 57, true,
          "001U120023p11345q224556r3356l67s44675m78t5578e6n89u6689Sf7o9av779apTg8pabw88abUqUh9qbc"
          "x99bc00r0iarcdyaacde11s1jbsdezbbdeef22t2kctefAcceflfg33u3ldufgBddfgemgh44v4mevghCeegh5"
          "fnhi55w5nfwhiDffhiI6goij66x6ogxijEggijpJ7hpjk77y7phyjkFhhjklqK8iqkl88z8qizklGiikllmrL9"
          "jrlm99A9rjAlmHjjlmImnsMaksmnaaBaskBmnIkkmnlJnotNbltnobbCbtlCnoJllnopmKopuOcmuopccDcumD"
          "opKmmoppqnLpqvPdnvpqddEdvnEpqLnnpqeqroMqrwQeowqreeFewoFqrMooqrpfrspNrsxRfpxrsffGfxpGrs"
          "NpprsSqgstqOstySgqystggHgyqHstOqqstITrhturPtuzThrztuhhIhzrItuPrrtuUJUsiuvsQuvAUisAuvii"
          "JiAsJuvQssuv00K0tjvwtRvwB0jtBvwjjKjBtKvwRttvwS11L1ukwxuSwxC1kuCwxkkLkCuLwxSuuwxlT22M2v"
          "lxyvTxyD2lvDxyllMlDvMxyTvvxyUmU33N3wmyzwUyzE3mwEyzmmNmEwNyzUwwyz00n044O4xnzAx0zAF4nxFz"
          "AnnOnFxOzA0xxzA511o155P5yoABy1ABG5oyGABooPoGyPAB1yyABp622p266Q6zpBCz2BCH6pzHBCppQpHzQB"
          "C2zzBCIq733q377R7AqCDA3CDI7qAICDqqRqIARCD3AACDSJr844r488S8BrDEB4DEJ8rBJDErrSrJBSDE4BBD"
          "E5TKs955s599T9CsEFC5EFK9sCKEFssTsKCTEF5CCEFU6ULta66t6aaUaDtFGD6FGLatDLFGttUtLDUFG6DDFG"
          "0070Mub77u7bb0bEuGHE7GHMbuEMGHuu0uME0GH7EEGHI1181Nvc88v8cc1cFvHIF8HINcvFNHIvv1vNF1HI8F"
          "FHIIJ2292Owd99w9dd2dGwIJG9IJOdwGOIJww2wOG2IJ9GGIJeJK33a3Pxeaaxaee3eHxJKHaJKPexHPJKxx3x"
          "PH3JKaHHJKIfKL44b4Qyfbbybff4fIyKLIbKLQfyIQKLyy4yQI4KLbIIKL5JgLM55c5Rzgcczcgg5gJzLMJcLM"
          "RgzJRLMzz5zRJ5LMcJJLMS6KhMN66d6SAhddAdhh6hKAMNKdMNShAKSMNAA6ASK6MNdKKMNeT7LiNO77e7TBie"
          "eBeii7iLBNOLeNOTiBLTNOBB7BTL7NOeLLNOUfU8MjOP88f8UCjffCfjj8jMCOPMfOPUjCMUOPCC8CUM8OPfMM"
          "OP00g09NkPQ99g90DkggDgkk9kNDPQNgPQ0kDN0PQDD9D0N9PQgNNPQl11h1aOlQRaaha1ElhhEhllalOEQROh"
          "QR1lEO1QREEaE1OaQRhOOQRSm22i2bPmRSbbib2FmiiFimmbmPFRSPiRS2mFP2RSFFbF2PbRSiPPRSSTn33j3c"
          "QnSTccjc3GnjjGjnncnQGSTQjST3nGQ3STGGcG3QcSTjQQSTUTUo44k4dRoTUddkd4HokkHkoodoRHTURkTU4o"
          "HR4TUHHdH4RdTUkRRTU"},  // z = 8.00, load 1.00
    Entry{58, 18, true,
          "d0LT7kTETz24qK8joD6QGHF5KKNwuEfEQQnuexvsyUwRwHrfs8CHfs8BLv6h61Pv3L2xDz2DnnxgAzuocIyotM"
          "y33la00kJSCtPOCPbtkdrcJdNNRRrAAcJVeGqIqG1iep1llS9SB45m4U5MUpBbMbVpVjF7mhjFiOghgaO99m"
          "a"},  // z = 9.28, load 1.07
    Entry{59, 18, true,
          "kTHvsCPgd3U6omaviv323ksszafkKgogoLthGJ8e9SttqP5CP9rz79CK6dd6MRKA4Nu5wVbffBD50DpiEV22Wx"
          "AyAVyTTwejMl7q7MwyqpJFQjIIBJ44BpjIGHEnbLRLG1RbEcnHuOFmmSlxS1NuxlF1NUO8QUrWh8r00WcQcO"
          "h"},  // z = 9.33, load 1.09
    Entry{60, 18, true,
          "2IaIIt24H2vJtFtVq6e1Nv4X4vygzEX7kNXNKJ6UJ6MGUfqHHSqfmQpKEDebe9EKppcux511wmCmbwVuLskVwk"
          "UROujzBdAAT9zCR9CRAc0dFFyyhllDcjdj30x7oWg7QQOxOo0g3aPsSTMhMS8PsTh3aiBL5nWrGGr85LBiW8"
          "n"},  // z = 9.56, load 1.11
    Entry{61, 24, true,
          "0d2SBpjkN7SbSFQS2ScycnkRkrCL0llGrOL00bPGQCC0zMbR54IRabbqxvqVDWYvaYfT6FFITL1IY1nBBcycna"
          "PaawwjJ6jQOWOQMW6JAqt6qyy938tq9y6io2Pgm2LmP2eLPoiiftvgKDKhvtvfUhtggjTpjVXW3zMVTUM3HUTf"
          "JR7rXrr1Rx1JJiifz7oBpG4D9GG4e9Bo9oDppDHxNNFCChE5xFchsHhHxsEddw5KXK385ewwA3eKXXe5AddNNm"
          "IumzIYYUAsmuUzssAAnll74OulEEV1nO8guV74E8u8"},  // z = 9.92, load 1.06
    Entry{62, 26, true,
          "3LRgoUgnggwWBii92zVj2NnYnaOnwHHfwPaQttYbTjYhhLLmKuuFQcCNoofTPNPTcfvWU8WPxPccJJwnmIwdnw"
          "lm7xl3HHIWdFH1FEWIWp5z8pzFZlFE8lFpvRsbDdOkbsXvdd55g2gyD2eQcQcGy6rDDttmVpVqZtmXGm6ZXGt9"
          "Roii9YQYQo8A68R66Y9MBKB9xZ1KJxx1ZseZ9sS5Ufuuqf1ufSA155GqA1SNR0IjjNkjCJJIIrRr0CJAj3M0Ki"
          "OOhhK7G73rOr0iMG0rSLBVTVehTLXSl4lXeVAeSAh4pMUbazaabC7U74zDDpCMUC74M32ByB2qkksEvyEEvyqo"
          "sqk344E"},  // z = 9.85, load 1.10
    Entry{63, 19, true,
          "o6d8a54rmvS9+"
          "F12r3rj366GvP3vzdWhPHPAoaaeZ0pAongNe1UKkeNQdGFFUGMZUZSR5OSfBkLkXOzxJcjjBzE1uBEQx+h+"
          "wKhLKQLxs8R8clwqyETqRcwq47W4i0IW0Nu5uss52gJDi2YyAgYOJVyiYn7tDlHpHpnXXbtl7DtC9mm9fIMCTM"
          "fbVTIVbC"},  // z = 9.84, load 1.05
    Entry{64, 24, true,
          "pgmf7E37UXNwcAWnvaKvMn9cKcKTfwfUwM+RPlaxWaTYbp1UUkG1UupP1EXrz1+"
          "e1eVjQiWMDMWdiMVmaXHtZRuuXVX3lFiwtswl5iitFfjf0rnnob2rjttb-jC0IGZYYG-jZs0IN7Q7NO++ld+"
          "QZlSZOV9EKIK9Ju5EVu52IBJ-mcxkOc4xk-Lmq2-"
          "O2OP9FAHyyYPkP8HFSYS9kSghQ0HyyoeheLH5o0Q5LyLgg6AAGTJTdrd6qrGdJqAgJpv6xvvs4xp886sosBB48"
          "o643hC3NzDRbhzDR3bCNBqChqBz"},  // z = 9.88, load 1.11
};

// Nearly as few words, and nearly even loads in matrices of 24 tiles and more: the classes stand in an order that
// evens out what the last tiles make uneven.
constexpr std::array even_table = {
    Entry{2, 8, true, "000101101010111101111000000010110101"},  // z = 1.75, load 1.00
    Entry{3, 8, true, "011020022011000022202110010112221211"},  // z = 2.00, load 1.03
    Entry{4, 8, true, "200313211220322313133001101020322302"},  // z = 2.38, load 1.00
    Entry{8, 8, true, "370772401165242302020651166135744353"},  // z = 3.50, load 1.00
    Entry{5, 8, true, "144131220223323440034130030114122414"},  // z = 2.75, load 1.02
    Entry{6, 8, true, "002341521530320521221543535304410140"},  // z = 3.00, load 1.03
    Entry{7, 13, true,
          "166233150125254133143633553325254454162121621150151551166004464604233023322003660044646040"
          "4"},                                                           // z = 3.00, load 1.04
    Entry{9, 8, true, "523221076758108482784536657643101430"},            // z = 3.75, load 1.12
    Entry{10, 8, true, "311502300048248565945117989836732672"},           // z = 3.88, load 1.09
    Entry{11, 8, true, "4303362a894a5a7195959206277010884164"},           // z = 4.12, load 1.03
    Entry{12, 9, true, "006a2a87478228196445997b719b00b355b5a6a316133"},  // z = 4.00, load 1.04
    Entry{13, 13, true,
          "3092950040799aa785c78282aa8b399c9cbc764477bb73844188344365aa5a3636262c1c2c6162005015bbb151"
          "1"},                                                                      // z = 4.00, load 1.00
    Entry{15, 10, true, "5830bc647d88cd8030dd054741716ba6191ae3a2e3eae5bc2c95929"},  // z = 4.80, load 1.05
    Entry{16, 10, true, "79814ab608c62629900fe732d2f718185e75c44dcededb3ab5f35aa"},  // z = 4.90, load 1.12
    Entry{17, 10, true, "77a1d6gc3gbe33agc6c2g9a60a561e14e5589df42294db7f0b808f8"},  // z = 5.10, load 1.02
};

SymmetricCells decode(const Entry& e) {
  const int r = e.classes;
  SymmetricCells cells{r, e.positions, std::vector<int>(static_cast<std::size_t>(r * r))};
  std::size_t next = 0;
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < (e.is_symmetric ? a + 1 : r); ++b) {
      const int q = static_cast<int>(letters.find(e.cells[next++]));
      cells.owner[static_cast<std::size_t>(a * r + b)] = q;
      if (e.is_symmetric) cells.owner[static_cast<std::size_t>(b * r + a)] = q;
    }
  return cells;
}

SymmetricCells look_up(int positions) {
  const auto entry = std::ranges::find(table, positions, &Entry::positions);
  if (entry != table.end()) return decode(*entry);
  return positions == 1 ? SymmetricCells{1, 1, {0}} : search_symmetric(positions);
}

}  // namespace

const SymmetricCells& symmetric_pattern(int positions) {
  static std::mutex mutex;
  static std::map<int, SymmetricCells> kept;
  const std::scoped_lock lock(mutex);
  const auto found = kept.find(positions);
  return found != kept.end() ? found->second : kept.emplace(positions, look_up(positions)).first->second;
}

bool symmetric_pattern_is_shipped(int positions) {
  return positions == 1 || std::ranges::find(table, positions, &Entry::positions) != table.end();
}

std::optional<SymmetricCells> even_symmetric_pattern(int positions) {
  const auto entry = std::ranges::find(even_table, positions, &Entry::positions);
  if (entry == even_table.end()) return {};
  return decode(*entry);
}

}  // namespace cairn::factor

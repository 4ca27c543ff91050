// Tells React Native of the module before JavaScript asks for it.
#import <Foundation/Foundation.h>
#import <ReactCommon/CxxTurboModuleUtils.h>

#include "../cpp/HushbitModule.h"

@interface HushbitOnLoad : NSObject
@end

@implementation HushbitOnLoad

+ (void)load {
  facebook::react::registerCxxModuleToGlobalModuleMap(
      facebook::react::HushbitModule::kModuleName, [](std::shared_ptr<facebook::react::CallInvoker> invoker) {
        return std::make_shared<facebook::react::HushbitModule>(std::move(invoker));
      });
}

@end
